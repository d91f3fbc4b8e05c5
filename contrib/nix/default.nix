# default.nix - an expression for Nix, of the sources that this file is in:
#
#   nix-build contrib/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "salvor";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = with pkgs; [
    autoreconfHook
    nanopb
    pkg-config
    protobuf
    python3
  ];
  buildInputs = with pkgs; [
    bearssl
    bzip2
    jansson
    libdeflate
    libyaml
    lz4
    nanopb
    zstd
  ];

  configureFlags = [ "--disable-tests" ];
  enableParallelBuilding = true;

  meta = {
    description = "Repair damaged robot logs";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "salvor";
  };
}
