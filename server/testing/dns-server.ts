/** A DNS server (RFC 1035) on loopback that resolves a few names, returns NXDOMAIN for `.invalid`, and does not respond to any other name. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface DnsServer {
  /** For `Resolver.setServers`. */
  address: string;
  /** Received questions in order, as type and name. */
  queries: string[];
  close(): Promise<void>;
}

const TYPE_A = 1;
const NXDOMAIN = 3;

/** Returns name and type of the first question, and the offset where it ends. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset]!; length > 0; length = query[offset]!) {
    labels.push(query.toString("latin1", offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(offset + 1), end: offset + 5 };
}

function encodeResponse(query: Buffer, end: number, address: string | null, responseCode: number): Buffer {
  const header = Buffer.from(query.subarray(0, end));
  header.writeUInt16BE(0x8180 | responseCode, 2);
  [1, address === null ? 0 : 1, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + 2 * index));
  if (address === null) return header;
  // A pointer to the name, type A, class IN, TTL 0, 4 bytes of data.
  return Buffer.concat([header, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]), Buffer.from(address.split(".").map(Number))]);
}

/** `records` maps names to IPv4 addresses. */
export async function startDnsServer(records: Record<string, string>): Promise<DnsServer> {
  const queries: string[] = [];
  const socket = createSocket("udp4", (query, client) => {
    const { name, type, end } = readQuestion(query);
    queries.push(`${type === TYPE_A ? "A" : "AAAA"} ${name}`);
    const address = records[name];
    if (address !== undefined) socket.send(encodeResponse(query, end, type === TYPE_A ? address : null, 0), client.port, client.address);
    else if (name.endsWith(".invalid")) socket.send(encodeResponse(query, end, null, NXDOMAIN), client.port, client.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}
