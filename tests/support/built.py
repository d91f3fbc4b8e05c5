"""What was asked for when the program was built."""
import subprocess

from support.start import SALVOR


def sanitized():
    """With a sanitizer: its own memory and time count in every measurement."""
    done = subprocess.run([SALVOR, '--version'], capture_output=True,
                          check=True)
    return b'sanitizer' in done.stdout.lower()
