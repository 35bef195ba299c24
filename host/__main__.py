"""`python -m host` is `allfronts`."""

from host.cli import program

if __name__ == "__main__":
    program()
