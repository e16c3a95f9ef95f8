/** The page that this client came in. */
const TIMEOUT_MS = 10_000;

/** The page's HTML as it is served now, past every cache. Throws where it cannot be had. */
export async function fetchIndexHtml(): Promise<string> {
  const response = await fetch("/", { cache: "no-store", headers: { accept: "text/html" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The page answers ${response.status}`);
  return response.text();
}
