/** Prints one progress line for long work, with a running timer on a terminal and only at start and end elsewhere. */

/**
 * @template T
 * @param {string} label such as "Installing 250 packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const isTerminal = process.stdout.isTTY && process.env["TERM"] !== "dumb";
  if (!isTerminal) console.log(`${label} …`);
  const timer = isTerminal ? setInterval(() => process.stdout.write(`\r${label} … ${seconds()} s`), 1000) : undefined;
  if (isTerminal) process.stdout.write(`${label} …`);
  try {
    const result = await work();
    process.stdout.write(isTerminal ? `\r${label} … done in ${seconds()} s\n` : `  done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    if (isTerminal) process.stdout.write("\n");
    throw error;
  } finally {
    clearInterval(timer);
  }
}
