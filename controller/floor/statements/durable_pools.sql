-- A row may be visible that no replica has: its commit waited for the replica when the database was killed. This
-- transaction's own record in the log comes behind every commit that it sees, so it is durable only when those are.
select it.*
from pg_logical_emit_message(true, 'sabot-floor', '') as mark cross join ({pools}) as it
