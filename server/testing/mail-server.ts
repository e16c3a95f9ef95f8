/** A local SMTP server that stores what it accepts, or rejects it with a status. */
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { callbackify } from "node:util";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** By lower-case name, unfolded and with encoded words as they came. */
  headers: Record<string, string>;
  /** The decoded text. */
  text: string;
  /** As it came. */
  source: string;
}

export interface MailServer {
  /** `smtp://127.0.0.1:<port>`, with the credentials if it requires them. */
  url: string;
  received: ReceivedMail[];
  /** How it responds to recipients: 250 accepts; null: not at all. */
  respondWith: { status: number | null };
  /** Called when an email has arrived, before the response. */
  onArrival: (() => void) | null;
  waitForMails(count: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Decodes quoted-printable; other encodings stay. */
function decodeBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

export function parseMail(source: string): Pick<ReceivedMail, "headers" | "text" | "source"> {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  return { headers, text: decodeBody(source.slice(end + 4), headers["content-transfer-encoding"] ?? "").replaceAll("\r\n", "\n"), source };
}

export interface MailServerOptions {
  /** Requires them, encrypted or not. */
  credentials?: { user: string; password: string };
}

export async function startMailServer({ credentials }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth(auth, _session, callback) {
      const isRight = auth.username === credentials?.user && auth.password === credentials?.password;
      callback(isRight ? null : new Error("Wrong password"), isRight ? { user: auth.username } : undefined);
    },
    onRcptTo(_address, _session, callback) {
      const { status } = mailServer.respondWith;
      if (status === null) return;
      callback(status === 250 ? null : Object.assign(new Error("No"), { responseCode: status }));
    },
    onData(stream, session, callback) {
      const receive = async (): Promise<void> => {
        const source = await text(stream);
        const { mailFrom, rcptTo } = session.envelope;
        mailServer.onArrival?.();
        received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), ...parseMail(source) });
      };
      callbackify(receive)((error: Error | null) => callback(error));
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const mailServer: MailServer = {
    url: `smtp://${credentials ? `${credentials.user}:${credentials.password}@` : ""}127.0.0.1:${port}`,
    received,
    respondWith: { status: 250 },
    onArrival: null,
    async waitForMails(count, timeoutMs = 15_000) {
      const deadline = performance.now() + timeoutMs;
      while (received.length < count) {
        if (performance.now() > deadline) throw new Error(`Only ${received.length} of ${count} emails came`);
        await sleep(10);
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}
