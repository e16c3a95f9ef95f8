/** Runs child processes, quietly with their output captured or in place of this process, and checks whether a process runs. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const MAX_OUTPUT_CHARACTERS = 4 * 1024 * 1024;
/** Time for a child to exit after SIGTERM before it is killed. */
const GRACE_MS = 5_000;

/** @typedef {{ code: number, output: string, stdout: string }} ProcessResult */
/**
 * @typedef {object} QuietOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {number} [timeoutMs]
 * @property {(pid: number) => void} [onStart]
 * @property {boolean} [killable] true if its work is repeatable, so a signal may kill it without a graceful exit
 */

/**
 * Runs a program without a terminal and captures its output. Never throws: a program that cannot start yields exit code
 * 127. A signal to this process is forwarded to the child, and this process exits after it.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {QuietOptions} [options]
 * @returns {Promise<ProcessResult>}
 */
export function runQuietly(program, args, { timeoutMs, onStart, killable = false, ...options } = {}) {
  return new Promise((resolve) => {
    let output = "";
    let stdout = "";
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const stopForwarding = forwardSignals(child, killable);
    if (child.pid) onStart?.(child.pid);
    const timer = timeoutMs ? setTimeout(() => terminate(child), timeoutMs) : undefined;
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout = (stdout + text).slice(-MAX_OUTPUT_CHARACTERS);
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
    /** @param {number} code */
    const done = (code) => {
      clearTimeout(timer);
      const signal = stopForwarding();
      if (signal) process.exit(128 + constants.signals[signal]);
      resolve({ code, output, stdout });
    };
    child.on("error", (error) => {
      output += `${program}: ${error.message}\n`;
      done(127);
    });
    child.on("close", (code, signal) => {
      if (signal) output += `\nended by ${signal}\n`;
      done(code ?? 1);
    });
  });
}

/**
 * Runs a program in place of this process: same terminal, same signals, same exit status.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<never>}
 */
export function replaceProcess(program, args, env) {
  return new Promise((_resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    const stopForwarding = forwardSignals(child);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      stopForwarding();
      if (signal && process.platform !== "win32") process.kill(process.pid, signal);
      else process.exit(code ?? 1);
    });
  });
}

/** @type {NodeJS.Signals[]} */
const FORWARDED_SIGNALS = process.platform === "win32" ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Forwards signals to a child instead of exiting on them.
 * @param {import("node:child_process").ChildProcess} child
 * @param {boolean} [killable]
 * @returns {() => NodeJS.Signals | null} stops forwarding and returns the last signal received
 */
function forwardSignals(child, killable = false) {
  /** @type {NodeJS.Signals | null} */
  let lastSignal = null;
  const handlers = FORWARDED_SIGNALS.map((signal) => {
    const handler = () => {
      lastSignal = signal;
      child.kill(killable ? "SIGKILL" : signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const off of handlers) off();
    return lastSignal;
  };
}

/** @param {import("node:child_process").ChildProcess} child */
function terminate(child) {
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
}

/**
 * Returns whether a process with this id runs, also as another user.
 * @param {number} pid
 */
export function isProcessRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
