/** Entry point of every command. It has no static imports, so that even a far too old Node prints a readable error. */

/**
 * Checks this machine's Node version, then installs and runs a program.
 * @param {import("./launch.mjs").Program} program
 */
export function startCommand(program) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `\nTalkback needs Node 20.19 or newer; this is Node ${process.versions.node}.\nInstall a current Node from https://nodejs.org and try again.\n`,
    );
    process.exit(1);
  }
  void import("./launch.mjs").then(({ launch }) => launch(program, process.argv.slice(2)));
}
