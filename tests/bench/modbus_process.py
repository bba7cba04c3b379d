"""A register server made with pymodbus, at PORT: six holding registers behind serial RTU. Runs among the peers."""

import asyncio
import sys

from pymodbus import FramerType
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice


async def serve(path: str) -> None:
    registers = SimData(0, values=[0] * 16, datatype=DataType.REGISTERS)
    server = ModbusSerialServer(SimDevice(1, simdata=[registers]), framer=FramerType.RTU, port=path, baudrate=115200)
    serving = asyncio.create_task(server.serve_forever())
    await asyncio.sleep(0.5)
    print("up", flush=True)
    await serving


asyncio.run(serve(sys.argv[1]))
