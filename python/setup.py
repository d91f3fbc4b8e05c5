"""Build the package: the inner module, with the shared library and the program inside.

Where the library comes from:

    SALVOR_BUILD  a folder in which it was built; else
    source/       a release of salvor, in a source distribution; else
    ..            the clone that this folder is in

The last two are configured and built in a temporary folder.  With SALVOR_LINK the
module only links the library in SALVOR_BUILD, for a system that installs it.
"""

import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
# What every Linux has, and what the compiler's own libraries are.
SYSTEM = re.compile(r"(ld-linux|linux-vdso|libc\.|libm\.|libpthread|libdl|librt|"
                    r"libgcc_s|libasan|libubsan)")


def source(temp):
    """The folder with the library's sources."""
    releases = sorted((HERE / "source").glob("salvor-*.tar.gz"))
    if not releases:
        return HERE.parent
    with tarfile.open(releases[-1]) as release:
        release.extractall(temp)
    return next(p for p in temp.iterdir() if (p / "configure").exists())


def built(temp):
    """The folders with the library, and with its headers."""
    if "SALVOR_BUILD" in os.environ:
        build = Path(os.environ["SALVOR_BUILD"])
        return build, Path(os.environ.get("SALVOR_SRCDIR", HERE.parent)) / "src"
    temp.mkdir(parents=True, exist_ok=True)
    top = source(temp)
    if not (top / "configure").exists():
        subprocess.run(["autoreconf", "-i"], cwd=top, check=True)
    build = temp / "library"
    build.mkdir(exist_ok=True)
    subprocess.run([top / "configure", "-q", "--disable-tests"], cwd=build,
                   check=True)
    subprocess.run(["make", "-s", "-j%d" % (os.cpu_count() or 1),
                    "libsalvor.la", "salvor"], cwd=build, check=True)
    return build, top / "src"


def needed(*programs):
    """{name: path} of the libraries that these need and a system may lack."""
    out = {}
    for program in programs:
        listed = subprocess.run(["ldd", program], check=True,
                                capture_output=True, text=True).stdout
        for name, where in re.findall(r"(\S+) => (/\S+)", listed):
            if not SYSTEM.match(name) and not name.startswith("libsalvor"):
                out[name] = Path(where).resolve()
    return out


class Build(build_ext):
    """Builds the library first, and puts it into the package."""

    def build_extension(self, ext):
        build, headers = built(Path(self.build_temp).resolve())
        ext.include_dirs.append(str(headers))
        if "SALVOR_LINK" in os.environ:
            ext.library_dirs.append(str(build / ".libs"))
            ext.libraries.append("salvor")
        else:
            self.put_inside(ext, build)
        super().build_extension(ext)

    def put_inside(self, ext, build):
        """The library, what it needs, and the program."""
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        library = build / ".libs" / "libsalvor.so.1"
        program = build / "salvor"
        others = needed(library, program)
        for folder in "lib", "bin":
            shutil.rmtree(package / folder, ignore_errors=True)
            (package / folder).mkdir(parents=True)
        for name, where in others.items():
            shutil.copyfile(where, package / "lib" / name)
        shutil.copyfile(library, package / "lib" / library.name)
        shutil.copyfile(program, package / "bin" / "salvor")
        (package / "bin" / "salvor").chmod(0o755)
        for made in [*(package / "lib").iterdir(), package / "bin" / "salvor"]:
            subprocess.run(["strip", "--strip-unneeded", made], check=True)
        # The loader finds a library by name once it has loaded it for this module.
        ext.extra_link_args += [
            "-Wl,--no-as-needed,-rpath,$ORIGIN/lib",
            str(package / "lib" / library.name),
            *(str(package / "lib" / name) for name in sorted(others))]


class Wheel(bdist_wheel):
    """One wheel for all versions of Python from 3.9 on."""

    def get_tag(self):
        return "cp39", "abi3", super().get_tag()[2]


def version():
    """That of the library."""
    for header in (HERE.parent / "src" / "salvor.h", HERE / "VERSION"):
        if header.exists():
            return re.search(r"\d+\.\d+\.\d+", re.search(
                r"(SALVOR_VERSION\s+\S+|\d\S+)", header.read_text())[0])[0]
    raise SystemExit("setup.py: neither ../src/salvor.h nor VERSION is there")


setup(
    version=version(),
    ext_modules=[Extension(
        "salvor._salvor", py_limited_api=True, extra_compile_args=["-std=c11"],
        sources=["src/%s.c" % name for name in
                 ("job", "jobs", "log", "module", "record", "stream")],
        depends=["src/module.h"])],
    cmdclass={"build_ext": Build, "bdist_wheel": Wheel},
)
