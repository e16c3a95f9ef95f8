#!/usr/bin/env node
/** `npm test` and, with --check, `npm run check`: installs what is missing, then hands on to bin/testing on the pinned runtime. */
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `\nTalkback needs Node 20.19 or newer; this is Node ${process.versions.node}.\nInstall a current Node from https://nodejs.org and run npm test again.\n`,
  );
  process.exit(1);
}
import("./lib/launch.mjs").then(({ launchTests }) => launchTests(process.argv.slice(2)));
