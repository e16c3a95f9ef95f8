/** Runs inside the sandbox and prints `isolated` if it reaches nothing but its own files: no network, and none of the given folders. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { networkInterfaces } from "node:os";
import { COMPILE_CACHE } from "./sandbox.ts";

const hiddenFolders = process.argv.slice(2);

async function findProblem(): Promise<string> {
  if (readFileSync("/job/input", "utf8") !== "readable") return "the input is not readable";
  writeFileSync("/job/outputs/result", "written");
  const visible = hiddenFolders.find((folder) => existsSync(folder));
  if (visible !== undefined) return `${visible} is visible`;
  const networks = Object.keys(networkInterfaces());
  if (networks.length > 0) return `the network ${networks.join()} can be reached`;
  enableCompileCache(COMPILE_CACHE);
  await Promise.all([import("./steps.ts"), import("./media.ts"), import("../thumbnails/cover.ts"), import("../thumbnails/stills.ts")]);
  return "isolated";
}

console.log(await findProblem());
process.exit(0);
