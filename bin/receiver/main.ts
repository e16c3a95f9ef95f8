/** Minimal webhook receiver for trying out webhooks: verifies, prints, and responds with a configurable status. */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { formatWebhook } from "./format-webhook.ts";
import { isSecret, verify } from "./verify.ts";

const USAGE = `npm run receiver -- [--port 8700] [--secret whsec_…] [--status 200]`;
const MAX_BODY_BYTES = 1_000_000;

function exitWithUsage(message: string): never {
  console.error(`\n${message}\n\n  ${USAGE}\n`);
  process.exit(1);
}

const isStatus = (input: string): boolean => /^[2-5]\d\d$/.test(input);

function parseOptions(): { port: number; secrets: string[]; status: number } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8700" },
        secret: { type: "string", multiple: true, default: [] },
        status: { type: "string", default: "200" },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) exitWithUsage(`--port ${values.port}: must be a number from 0 to 65535.`);
    for (const secret of values.secret) if (!isSecret(secret)) exitWithUsage("--secret: must be what Talkback showed, whsec_ and the rest.");
    if (!isStatus(values.status)) exitWithUsage(`--status ${values.status}: must be an HTTP status from 200 to 599.`);
    return { port, secrets: values.secret, status: Number(values.status) };
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
}

const { port, secrets, status } = parseOptions();
let responseStatus = status;
const receivedCounts = new Map<string, number>();

const server = createServer((request, response) => {
  const receive = async (): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end("Webhooks come by POST.\n");
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return void response.writeHead(413).end();
    const body = await text(request);
    const id = String(request.headers["webhook-id"] ?? "");
    const receivedCount = (receivedCounts.get(id) ?? 0) + 1;
    receivedCounts.set(id, receivedCount);
    const verification = secrets.length > 0 ? verify(request.headers, body, secrets, Date.now()) : null;
    // Rejects requests without a valid signature. Before a secret is known, it accepts everything, so that the first steps of the walkthrough work.
    const code = verification === null || verification === "genuine" ? responseStatus : 401;
    console.log(formatWebhook({ at: Date.now(), headers: request.headers, body, verification, receivedCount, status: code }));
    response.writeHead(code, { "content-type": "application/json", ...(code === 429 || code === 503 ? { "retry-after": "30" } : {}) });
    response.end(JSON.stringify({ received: code < 300 }));
  };
  receive().catch(() => response.destroy());
});

server.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") exitWithUsage(`Port ${port} is in use. Choose another: npm run receiver -- --port ${port + 1}`);
  exitWithUsage(error.message);
});

server.listen(port, "127.0.0.1", () => {
  const { port: boundPort } = server.address() as { port: number };
  console.log(`
  Receiver  http://127.0.0.1:${boundPort}/

  1. Start Talkback so that it may reach this machine:   npm start -- --allow-local-webhooks
  2. Settings → Webhooks → create an endpoint with the address above.
  3. Paste its secret (whsec_…) here and press Enter: from then on every signature is checked.
  4. Set a file to Approved and watch the event arrive.

  Type a status such as 503 and press Enter to respond with it. Stop with Ctrl+C.
`);
});

createInterface({ input: process.stdin }).on("line", (line) => {
  const input = line.trim();
  if (isSecret(input)) {
    secrets.push(input);
    console.log("  Secret added; signatures are checked with it.");
  } else if (isStatus(input)) {
    responseStatus = Number(input);
    console.log(`  Responding with ${input} from now on.`);
  } else if (input !== "") console.log("  Neither a secret (whsec_…) nor a status (200 to 599).");
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.closeAllConnections();
    server.close(() => process.exit(0));
  });
}
