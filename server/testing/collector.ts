/** An OpenTelemetry collector that keeps the spans it gets (OTLP over HTTP, as JSON). */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  /** 2: an error. */
  status: number;
  service: string;
  milliseconds: number;
}

export interface Collector {
  endpoint: string;
  spans: ReceivedSpan[];
  /** What arrived, as text. */
  bodies: string[];
  /** Replaces the response, such as with none at all. */
  respond: (response: ServerResponse) => void;
  /** Waits for the first span of this name. */
  nextSpan(name: string, matches?: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Payload {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Record<string, unknown> & { attributes?: Attribute[]; status?: { code?: number } })[] }[];
  }[];
}

const toRecord = (attributes: Attribute[] = []) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function parseSpans(body: string): ReceivedSpan[] {
  return (JSON.parse(body) as Payload).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span["name"] as string,
        kind: span["kind"] as number,
        traceId: span["traceId"] as string,
        spanId: span["spanId"] as string,
        parentSpanId: (span["parentSpanId"] as string | undefined) || undefined,
        attributes: toRecord(span.attributes),
        status: span.status?.code ?? 0,
        service: String(toRecord(resource.attributes)["service.name"]),
        milliseconds: Number(BigInt(span["endTimeUnixNano"] as string) - BigInt(span["startTimeUnixNano"] as string)) / 1e6,
      })),
    ),
  );
}

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== "POST" || request.url !== "/v1/traces") return response.writeHead(404).end();
      bodies.push(body);
      spans.push(...parseSpans(body));
      return collector.respond(response);
    });
  });
  const collector: Collector = {
    endpoint: "",
    spans,
    bodies,
    respond: (response) => void response.writeHead(200, { "Content-Type": "application/json" }).end("{}"),
    async nextSpan(name, matches = () => true) {
      const find = () => spans.find((span) => span.name === name && matches(span));
      for (const deadline = performance.now() + 10_000; !find(); await sleep(10))
        if (performance.now() > deadline) throw new Error(`No span ${name} arrived. There are: ${spans.map((span) => span.name).join(", ")}`);
      return find()!;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}
