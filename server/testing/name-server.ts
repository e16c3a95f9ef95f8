/** A DNS server (RFC 1035) on loopback that knows a few names, denies `.invalid`, and is silent about all others. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

export interface NameServer {
  /** For `Resolver.setServers`. */
  address: string;
  /** Questions in order: type and name. */
  asked: string[];
  close(): Promise<void>;
}

const TYPE_A = 1;
const NOT_FOUND = 3;

/** The name in the first question, and where the question ends. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, end: number, address: string | null, code: number): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | code, 2);
  [1, address === null ? 0 : 1, 0, 0].forEach((count, index) => head.writeUInt16BE(count, 4 + 2 * index));
  if (address === null) return head;
  // The name by pointer, type A, class IN, no time to live, four bytes.
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]), Buffer.from(address.split(".").map(Number))]);
}

/** `known`: names and their IPv4 address. */
export async function startNameServer(known: Record<string, string>): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4", (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${type === TYPE_A ? "A" : "AAAA"} ${name}`);
    const address = known[name];
    if (address !== undefined) socket.send(answerTo(query, end, type === TYPE_A ? address : null, 0), from.port, from.address);
    else if (name.endsWith(".invalid")) socket.send(answerTo(query, end, null, NOT_FOUND), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}
