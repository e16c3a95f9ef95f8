/** Generates code without dependencies for one endpoint: receivers that verify signatures, and a sender. The tests run the code as users copy it. */

export const LANGUAGES = ["node", "python", "curl"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Endpoint {
  url: string;
  secret_hint: string;
  event_types: readonly string[];
}

/** Returns the path that the receiver serves; parsing escapes all characters that a string literal cannot contain. */
const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : "/");
const quote = (text: string) => JSON.stringify(text);

const renderNode = ({ url, secret_hint, event_types }: Endpoint) => `// Receives the events of ${URL.canParse(url) ? new URL(url).href : url}
// Start it with: WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
// The secret ends with ${secret_hint}
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
const TOLERANCE_S = 5 * 60;
const LIMIT_BYTES = 256 * 1024;

function verify(headers, body) {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  // For 24 hours after a rotation there is one signature for each valid secret, separated by spaces.
  return (headers["webhook-signature"] ?? "").split(" ").some((entry) => {
    const [version, signature = ""] = entry.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function receive(request, response) {
  const respond = (status, json) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  if (request.method !== "POST" || new URL(request.url, "http://host").pathname !== ${quote(pathOf(url))}) return respond(404, {});
  if (!(Number(request.headers["content-length"]) <= LIMIT_BYTES)) return respond(413, {});
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // Verify the raw bytes before parsing them.
  const body = Buffer.concat(chunks);
  if (!verify(request.headers, body)) return respond(401, { error: "signature" });
  respond(200, {});
  const event = JSON.parse(body);
  // Events can be delivered more than once; deduplicate by id. Types: ${event_types.join(", ")}
  console.log(event.id, event.type, event.data);
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
}).listen(Number(process.env.PORT ?? 8080));
`;

const renderPython = ({ url, secret_hint, event_types }: Endpoint) => `# Receives the events of ${URL.canParse(url) ? new URL(url).href : url}
# Start it with: WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py
# The secret ends with ${secret_hint}
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_S = 5 * 60
LIMIT_BYTES = 256 * 1024


def verify(headers, body):
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # For 24 hours after a rotation there is one signature for each valid secret, separated by spaces.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(entry.encode(), expected.encode()) for entry in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LIMIT_BYTES:
            return self.respond(413, {})
        # Verify the raw bytes before parsing them.
        body = self.rfile.read(int(length))
        if urlsplit(self.path).path != ${quote(pathOf(url))}:
            return self.respond(404, {})
        if not verify(self.headers, body):
            return self.respond(401, {"error": "signature"})
        self.respond(200, {})
        event = json.loads(body)
        # Events can be delivered more than once; deduplicate by id. Types: ${event_types.join(", ")}
        print(event["id"], event["type"], event["data"], flush=True)

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`;

/** Quotes a shell argument; within single quotes a shell interprets only the closing quote. */
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const renderCurl = ({ url, secret_hint, event_types }: Endpoint, example: (type: string) => unknown) => {
  const type = event_types[0] ?? "file.status_changed";
  return `# Sends a signed example to ${URL.canParse(url) ? new URL(url).href : url}
# First run: export WEBHOOK_SECRET=whsec_…
# The secret ends with ${secret_hint}
body=${shellQuote(JSON.stringify(example(type)))}
id=test_$(openssl rand -hex 8)
timestamp=$(date +%s)
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -i -X POST ${shellQuote(URL.canParse(url) ? new URL(url).href : url)} \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $timestamp" \\
  -H "webhook-signature: v1,$signature" \\
  --data-binary "$body"
`;
};

/** Returns a snippet's text; `example` creates the body that curl sends. */
export function renderSnippet(language: Language, endpoint: Endpoint, example: (type: string) => unknown): string {
  if (language === "node") return renderNode(endpoint);
  return language === "python" ? renderPython(endpoint) : renderCurl(endpoint, example);
}
