/** Fetches the HTML page that loads this client. */
const TIMEOUT_MS = 10_000;

/** Fetches the HTML currently served at `/`, bypassing every cache; throws if the request fails. */
export async function fetchIndexHtml(): Promise<string> {
  const response = await fetch("/", { cache: "no-store", headers: { accept: "text/html" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The page answers ${response.status}`);
  return response.text();
}
