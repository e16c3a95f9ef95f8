/** Reports failures for people: what happened and what to do, without a stack trace. */

/** Failure with a known cause. */
export class Failure extends Error {
  /**
   * @param {string} summary one sentence: what happened
   * @param {string} hint one sentence: what to do about it
   * @param {string} [detail] a few lines of the tool's output
   */
  constructor(summary, hint, detail = "") {
    super(summary);
    this.name = "Failure";
    this.hint = hint;
    this.detail = detail;
  }
}

/** Patterns in the output of tools and their meaning. The first match wins. */
const CAUSES = [
  {
    pattern: /\bENOSPC\b|no space left on device/i,
    summary: "The disk is full",
    hint: "Free some space (about 1 GB is needed) and try again.",
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b|permission denied|read-only file system/i,
    summary: "This folder, or one of its subfolders, is not writable",
    hint: "Give your user write permission here (or move the folder to your home directory) and try again. Do not run Talkback sometimes as root and sometimes as yourself.",
  },
  {
    pattern:
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b|network (request|connectivity)|socket hang up/i,
    summary: "The package registry cannot be reached",
    hint: "Check the network connection and npm's proxy settings (npm config get proxy), then try again.",
  },
  {
    pattern: /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT)\b/,
    summary: "The package registry's certificate is not trusted on this machine",
    hint: "If your network has its own certificate authority, point NODE_EXTRA_CA_CERTS at its certificate and try again.",
  },
  {
    pattern: /\b(E401|E403)\b/,
    summary: "The package registry refuses access",
    hint: "Check npm's registry and login (npm config get registry), then try again.",
  },
  {
    pattern: /\b(EINTEGRITY|Z_BUF_ERROR|Z_DATA_ERROR)\b|TAR_BAD_ARCHIVE/,
    summary: "A downloaded package is corrupted",
    hint: "Run npm cache clean --force and try again.",
  },
  {
    pattern: /npm ci.+can only install|\bEUSAGE\b/s,
    summary: "package.json and package-lock.json do not match",
    hint: "Take both from the same commit (git checkout package.json package-lock.json); after changing a dependency run npm install.",
  },
];

/**
 * Determines the cause from the output of a tool or the system.
 * @param {string} action what was attempted, such as "Installing"
 * @param {string} output the tool's output or an error's message
 * @returns {Failure}
 */
export function toFailure(action, output) {
  const cause = CAUSES.find(({ pattern }) => pattern.test(output));
  if (!cause) return new Failure(`${action} failed.`, "The tool's last output:", lastOutputLines(output, 25));
  return new Failure(`${action} failed: ${lowerFirst(cause.summary)}.`, cause.hint, matchingLines(output, cause.pattern));
}

/**
 * Returns the first two lines that match a cause.
 * @param {string} output
 * @param {RegExp} pattern
 */
function matchingLines(output, pattern) {
  return lastOutputLines(output, Infinity)
    .split("\n")
    .filter((line) => pattern.test(line) && !/^\s*(at|code|errno|syscall)\b/.test(line))
    .slice(0, 2)
    .join("\n");
}

/**
 * Returns the end of a tool's output without npm prefixes, log references and empty lines.
 * @param {string} output
 * @param {number} count maximum number of lines
 */
export function lastOutputLines(output, count) {
  const lines = output
    .split("\n")
    .map((line) => line.replace(/^npm (error|warn|ERR!)\s?/i, "").trimEnd())
    .filter((line) => line.trim() !== "" && !/complete log of this run|^code\s+E/i.test(line));
  return lines.slice(-count).join("\n");
}

/** @param {string} text */
const lowerFirst = (text) => text.slice(0, 1).toLowerCase() + text.slice(1);

/**
 * Prints a failure (or anything thrown) and sets the exit code.
 * @param {unknown} error
 */
export function reportFailure(error) {
  process.exitCode = 1;
  if (error instanceof Failure) {
    const detail = error.detail ? `\n\n${error.detail.replace(/^/gm, "  ")}` : "";
    console.error(`\n${error.message}\n${error.hint}${detail}\n`);
    return;
  }
  const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
  const known = code && CAUSES.find(({ pattern }) => pattern.test(code));
  if (known) console.error(`\n${known.summary}: ${message}\n${known.hint}\n`);
  else console.error(`\nUnexpected error.\n${stack ?? message ?? error}\n`);
}
