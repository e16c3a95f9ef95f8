/** Runs inside the sandbox and prints `isolated` if it reaches nothing but its own files: no port of the machine, and none of the given folders. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { connect } from "node:net";
import { COMPILE_CACHE } from "./sandbox.ts";

const [port = "", ...hiddenFolders] = process.argv.slice(2);

const isReachable = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
  });

async function findProblem(): Promise<string> {
  if (readFileSync("/job/input", "utf8") !== "readable") return "the input is not readable";
  writeFileSync("/job/outputs/result", "written");
  const visible = hiddenFolders.find((folder) => existsSync(folder));
  if (visible !== undefined) return `${visible} is visible`;
  if (await isReachable()) return "the network is reachable";
  enableCompileCache(COMPILE_CACHE);
  await Promise.all([import("./steps.ts"), import("./media.ts"), import("../thumbnails/image.ts"), import("../thumbnails/stills.ts")]);
  return "isolated";
}

console.log(await findProblem());
process.exit(0);
