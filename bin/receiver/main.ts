/** A small receiver of webhooks for trying things out: verifies, prints, answers as it is told to. */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { show } from "./show.ts";
import { isSecret, verify } from "./verify.ts";

const USAGE = `npm run receiver -- [--port 8700] [--secret whsec_…] [--answer 200]`;
const MOST_BYTES = 1_000_000;

function stop(message: string): never {
  console.error(`\n${message}\n\n  ${USAGE}\n`);
  process.exit(1);
}

const isStatus = (word: string): boolean => /^[2-5]\d\d$/.test(word);

function options(): { port: number; secrets: string[]; status: number } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8700" },
        secret: { type: "string", multiple: true, default: [] },
        answer: { type: "string", default: "200" },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) stop(`--port ${values.port}: must be a number from 0 to 65535.`);
    for (const secret of values.secret) if (!isSecret(secret)) stop("--secret: must be what Talkback showed, whsec_ and the rest.");
    if (!isStatus(values.answer)) stop(`--answer ${values.answer}: must be an HTTP status from 200 to 599.`);
    return { port, secrets: values.secret, status: Number(values.answer) };
  } catch (error) {
    return stop((error as Error).message);
  }
}

const { port, secrets, status } = options();
let answer = status;
const seen = new Map<string, number>();

const server = createServer((request, response) => {
  const receive = async (): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end("Webhooks come by POST.\n");
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) return void response.writeHead(413).end();
    const body = await text(request);
    const id = String(request.headers["webhook-id"] ?? "");
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    const verdict = secrets.length > 0 ? verify(request.headers, body, secrets, Date.now()) : null;
    // Whoever cannot prove where it comes from is turned away; before a secret is known everything is taken, so that the first walk works.
    const code = verdict === null || verdict === "genuine" ? answer : 401;
    console.log(show({ at: Date.now(), headers: request.headers, body, verdict, times, status: code }));
    response.writeHead(code, { "content-type": "application/json", ...(code === 429 || code === 503 ? { "retry-after": "30" } : {}) });
    response.end(JSON.stringify({ received: code < 300 }));
  };
  receive().catch(() => response.destroy());
});

server.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") stop(`Port ${port} is in use. Choose another: npm run receiver -- --port ${port + 1}`);
  stop(error.message);
});

server.listen(port, "127.0.0.1", () => {
  const { port: taken } = server.address() as { port: number };
  console.log(`
  Receiver  http://127.0.0.1:${taken}/

  1. Start Talkback so that it may reach this machine:   npm start -- --allow-local-webhooks
  2. Settings → Webhooks → create an endpoint with the address above.
  3. Paste its secret (whsec_…) here and press Enter: from then on every signature is checked.
  4. Set a file to Approved and watch the event arrive.

  Type a status such as 503 and press Enter to answer with it. Stop with Ctrl+C.
`);
});

createInterface({ input: process.stdin }).on("line", (line) => {
  const word = line.trim();
  if (isSecret(word)) {
    secrets.push(word);
    console.log("  Secret taken; signatures are checked with it.");
  } else if (isStatus(word)) {
    answer = Number(word);
    console.log(`  Answering ${word} from now on.`);
  } else if (word !== "") console.log("  Neither a secret (whsec_…) nor a status (200 to 599).");
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.closeAllConnections();
    server.close(() => process.exit(0));
  });
}
