/** One calm line about work that takes a while: it counts on a terminal, and is written only twice elsewhere. */

/**
 * @template T
 * @param {string} what such as "Installing 250 packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, work) {
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const live = process.stdout.isTTY && process.env["TERM"] !== "dumb";
  if (!live) console.log(`${what} …`);
  const ticking = live ? setInterval(() => process.stdout.write(`\r${what} … ${seconds()} s`), 1000) : undefined;
  if (live) process.stdout.write(`${what} …`);
  try {
    const result = await work();
    process.stdout.write(live ? `\r${what} … done in ${seconds()} s\n` : `  done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    if (live) process.stdout.write("\n");
    throw error;
  } finally {
    clearInterval(ticking);
  }
}
