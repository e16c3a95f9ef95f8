/** Sends mails through the operator's SMTP server. */
import type { Transporter } from "nodemailer";
import { MINUTE, SECOND } from "../lib/clock.ts";

/** Total limit of one attempt. A server may take minutes to accept a mail that it has received, and one that is then sent again arrives twice (RFC 5321, 4.5.3.2.6). */
export const MAIL_DEADLINE_MS = 5 * MINUTE;
/** Limit for connecting, and for the server's greeting. */
const CONNECT_MS = 10 * SECOND;
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i;

export interface MailAddress {
  name: string;
  address: string;
}

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the credentials and options of nodemailer. */
  url: string;
  from: MailAddress;
  replyTo: MailAddress;
}

export interface Mail {
  to: MailAddress;
  subject: string;
  text: string;
  /** The same in every attempt, so that a mail that arrives twice is shown once. */
  messageId: string;
  headers: Record<string, string>;
}

/**
 * `rejected`: the server will never accept this mail. `refused`: it may later, or it did not accept our credentials. `interrupted`: the service stopped.
 */
export type MailOutcome = "ok" | "rejected" | "refused" | "unreachable" | "timeout" | "interrupted";

export interface MailSender {
  /** Never throws. Aborting `signal` ends the attempt with the outcome `interrupted`, although the server may still accept the mail. */
  send(mail: Mail, signal: AbortSignal): Promise<{ outcome: MailOutcome; error: unknown }>;
  close(): Promise<void>;
}

interface SmtpError {
  code?: string;
  responseCode?: number;
}

function classifyError({ code, responseCode }: SmtpError): MailOutcome {
  if (code === "EENVELOPE" || code === "EMESSAGE") return responseCode !== undefined && responseCode < 500 ? "refused" : "rejected";
  if (responseCode !== undefined || code === "EAUTH" || code === "ENOAUTH") return "refused";
  return code === "ETIMEDOUT" ? "timeout" : "unreachable";
}

/** Returns whether credentials would otherwise be sent unencrypted to another machine. */
function needsEncryption(text: string): boolean {
  const { hostname, username } = new URL(text);
  return username !== "" && !LOOPBACK.test(hostname.replace(/^\[|\]$/g, ""));
}

export function createMailSender({ url, from, replyTo }: SmtpOptions, deadlineMs = MAIL_DEADLINE_MS): MailSender {
  const connectMs = Math.min(CONNECT_MS, deadlineMs);
  let opening: Promise<Transporter> | null = null;
  /** Loads the library with the first mail, because many services never send one. */
  async function openTransport(): Promise<Transporter> {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      // Options in the URL win over these.
      url,
      requireTLS: needsEncryption(url),
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: deadlineMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
  return {
    async send(mail, signal) {
      const ended = Promise.withResolvers<MailOutcome>();
      const deadline = setTimeout(() => ended.resolve("timeout"), deadlineMs);
      const onStop = (): void => ended.resolve("interrupted");
      signal.addEventListener("abort", onStop, { once: true });
      if (signal.aborted) onStop();
      opening ??= openTransport();
      const sent = opening
        .then((transport) => transport.sendMail({ ...mail, from, replyTo }))
        .then(
          () => ({ outcome: "ok" as const, error: null }),
          (error: unknown) => ({ outcome: classifyError(error as SmtpError), error }),
        );
      try {
        return await Promise.race([sent, ended.promise.then((outcome) => ({ outcome, error: null }))]);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", onStop);
      }
    },
    async close() {
      // A transport that could not be opened has nothing to close; each mail has had the error.
      (await opening?.catch(() => null))?.close();
    },
  };
}
