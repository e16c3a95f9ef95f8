/** Failures as a person reads them: what happened, what to do, and never a stack. */

/** Something that went wrong for a known reason. */
export class Failure extends Error {
  /**
   * @param {string} what one sentence: what happened
   * @param {string} wayOut one sentence: what to do about it
   * @param {string} [detail] a few lines of a tool's own words
   */
  constructor(what, wayOut, detail = "") {
    super(what);
    this.name = "Failure";
    this.wayOut = wayOut;
    this.detail = detail;
  }
}

/** What tools say, and what it means; the first that matches wins. */
const CAUSES = [
  {
    signs: /\bENOSPC\b|no space left on device/i,
    what: "The disk is full",
    wayOut: "Free some space (about 1 GB is needed) and try again.",
  },
  {
    signs: /\b(EACCES|EPERM|EROFS)\b|permission denied|read-only file system/i,
    what: "This folder, or one below it, cannot be written",
    wayOut: "Give your user the right to write here (or move the folder to your home) and try again; do not mix runs as root with runs as yourself.",
  },
  {
    signs:
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b|network (request|connectivity)|socket hang up/i,
    what: "The package registry cannot be reached",
    wayOut: "Check the network connection and npm's proxy settings (npm config get proxy), then try again.",
  },
  {
    signs: /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT)\b/,
    what: "The package registry's certificate is not trusted on this machine",
    wayOut: "If your network has its own certificate authority, point NODE_EXTRA_CA_CERTS at its certificate and try again.",
  },
  {
    signs: /\b(E401|E403)\b/,
    what: "The package registry refuses access",
    wayOut: "Check npm's registry and login (npm config get registry), then try again.",
  },
  {
    signs: /\b(EINTEGRITY|Z_BUF_ERROR|Z_DATA_ERROR)\b|TAR_BAD_ARCHIVE/,
    what: "A package arrived damaged",
    wayOut: "Run npm cache clean --force and try again.",
  },
  {
    signs: /npm ci.+can only install|\bEUSAGE\b/s,
    what: "package.json and package-lock.json do not belong together",
    wayOut: "Take both from the same commit (git checkout package.json package-lock.json); after changing a dependency run npm install.",
  },
];

/**
 * Finds the reason in what a tool or the system said.
 * @param {string} doing what was tried, such as "Installing"
 * @param {string} said the tool's output or an error's message
 * @returns {Failure}
 */
export function explain(doing, said) {
  const cause = CAUSES.find(({ signs }) => signs.test(said));
  if (!cause) return new Failure(`${doing} failed.`, "What follows is what the tool said last.", lastWords(said, 25));
  return new Failure(`${doing} failed: ${lowerFirst(cause.what)}.`, cause.wayOut, wordsAbout(said, cause.signs));
}

/**
 * The first lines that tell of a cause.
 * @param {string} said
 * @param {RegExp} signs
 */
function wordsAbout(said, signs) {
  return lastWords(said, Infinity)
    .split("\n")
    .filter((line) => signs.test(line) && !/^\s*(at|code|errno|syscall)\b/.test(line))
    .slice(0, 2)
    .join("\n");
}

/**
 * The end of a tool's output without its ornaments.
 * @param {string} said
 * @param {number} count of lines at most
 */
export function lastWords(said, count) {
  const lines = said
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
export function report(error) {
  process.exitCode = 1;
  if (error instanceof Failure) {
    const detail = error.detail ? `\n\n${error.detail.replace(/^/gm, "  ")}` : "";
    console.error(`\n${error.message}\n${error.wayOut}${detail}\n`);
    return;
  }
  const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
  const known = code && CAUSES.find(({ signs }) => signs.test(code));
  if (known) console.error(`\n${known.what}: ${message}\n${known.wayOut}\n`);
  else console.error(`\nThis should not have happened.\n${stack ?? message ?? error}\n`);
}
