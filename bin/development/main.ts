/** Runs both sides with hot reload: Vite for the client, `node --watch` for the service behind it. Both stop together. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../lib/paths.mjs";

/** Address for the browser. vite.config.ts sets the same port. */
const CLIENT_URL = "http://localhost:5173";
/** Time for both processes to exit before they are killed. */
const GRACE_MS = 10_000;

const port = process.env["PORT"] || "3000";
const serviceUrl = `http://127.0.0.1:${port}`;

// Links and the origin check of write requests use the address that the browser sees, which is Vite's.
const children = [
  spawn(process.execPath, ["--watch", "--watch-preserve-output", join(ROOT, "server", "main.ts"), ...process.argv.slice(2)], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, HOST: "127.0.0.1", PORT: port, PUBLIC_URL: process.env["PUBLIC_URL"] || CLIENT_URL },
  }),
  spawn(process.execPath, [join(ROOT, "node_modules", "vite", "bin", "vite.js"), "--clearScreen", "false"], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TALKBACK_SERVICE: serviceUrl },
  }),
];

let stopping = false;

async function stopBoth(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => children.forEach((child) => child.kill("SIGKILL")), GRACE_MS).unref();
  await Promise.all(children.map(terminate));
  process.exit(code);
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopBoth(0));
for (const child of children) child.once("exit", (code) => void stopBoth(code ?? 1));
