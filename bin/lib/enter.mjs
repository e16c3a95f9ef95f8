/** The way into every command. It imports nothing at first, so that a Node that is far too old still says so in words. */

/**
 * Checks this machine's Node, then installs and runs a program.
 * @param {import("./launch.mjs").Program} program
 */
export function enter(program) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `\nTalkback needs Node 20.19 or newer; this is Node ${process.versions.node}.\nInstall a current Node from https://nodejs.org and try again.\n`,
    );
    process.exit(1);
  }
  void import("./launch.mjs").then(({ launch }) => launch(program, process.argv.slice(2)));
}
