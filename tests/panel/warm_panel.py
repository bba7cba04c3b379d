"""A process with all modules and templates of the panel loaded, which forks panels. `tests.daemon.warm.Warm` starts it.

A start without forking takes 1.4 s of processor, most of it for the templates. The tests of door, first start and
stopped tables, the demos and the evenings start that way.
"""

from controller.catalogue import Language, sentence
from controller.cli.main import main
from controller.panel import serve
from controller.panel.pages import environment
from tests.daemon.warm import fork_program

__all__ = ["serve"]

if __name__ == "__main__":
    sentence("cli.option.config", {}, Language.EN)  # reads the catalogue
    for name in environment().list_templates():
        environment().get_template(name)
    fork_program(main)
