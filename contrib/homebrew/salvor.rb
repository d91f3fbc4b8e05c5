# salvor.rb - a formula for Homebrew, of the newest commit:
#
#   SALVOR_SOURCE=ADDRESS-OF-A-CLONE brew install --HEAD contrib/homebrew/salvor.rb
#
# Only its syntax is tested.
#
class Salvor < Formula
  desc "Repair damaged robot logs"
  homepage ENV.fetch("SALVOR_SOURCE", "https://example.org/salvor")
  license "MIT"
  head ENV.fetch("SALVOR_SOURCE", "https://example.org/salvor.git"),
       using: :git, branch: "main"

  depends_on "autoconf" => :build
  depends_on "automake" => :build
  depends_on "libtool" => :build
  depends_on "nanopb" => :build
  depends_on "pkgconf" => :build
  depends_on "protobuf" => :build
  depends_on "bearssl"
  depends_on "jansson"
  depends_on "libdeflate"
  depends_on "libyaml"
  depends_on "lz4"
  depends_on "zstd"

  uses_from_macos "bzip2"

  def install
    system "autoreconf", "-fi"
    mkdir "build" do
      system "../configure", "--disable-tests", *std_configure_args
      system "make", "install"
    end
  end

  test do
    (testpath/"empty.bag").write ""
    assert_match "salvor", shell_output("#{bin}/salvor --version")
    shell_output("#{bin}/salvor verify empty.bag", 4)
  end
end
