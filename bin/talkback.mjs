#!/usr/bin/env node
/** The launcher behind `npm start`. No static import here, so that a Node that is far too old still says so in words. */
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `\nTalkback needs Node 20.19 or newer; this is Node ${process.versions.node}.\nInstall a current Node from https://nodejs.org and run npm start again.\n`,
  );
  process.exit(1);
}
import("./lib/launch.mjs").then(({ launch }) => launch(process.argv.slice(2)));
