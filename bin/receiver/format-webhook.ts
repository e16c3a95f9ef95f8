/** Formats a received webhook for printing. */
import type { VerificationResult } from "./verify.ts";

export interface ReceivedWebhook {
  /** Milliseconds since the epoch. */
  at: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Null if no secret is known yet. */
  verification: VerificationResult | null;
  /** Number of requests with this `webhook-id` so far. */
  receivedCount: number;
  /** HTTP status of the response. */
  status: number;
}

/** Replaces control characters, so that received text cannot move the cursor or change colors. */
const replaceControlCharacters = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\u{FFFD}");

function prettyPrint(body: string): { type: string; text: string } {
  try {
    const parsed = JSON.parse(body) as { type?: unknown };
    return { type: typeof parsed?.type === "string" ? parsed.type : "?", text: JSON.stringify(parsed, null, 2) };
  } catch {
    return { type: "not JSON", text: body };
  }
}

export function formatWebhook({ at, headers, body, verification, receivedCount, status }: ReceivedWebhook): string {
  const { type, text } = prettyPrint(body);
  const signature =
    verification === null
      ? "signature not checked: paste the endpoint's secret (whsec_…) and press Enter"
      : verification === "genuine"
        ? "signature genuine"
        : `SIGNATURE REFUSED: ${verification}`;
  const repeated = receivedCount > 1 ? ` · came ${receivedCount} times` : "";
  return replaceControlCharacters(
    [
      ``,
      `${new Date(at).toLocaleTimeString("en-GB")}  ${type}  → ${status}`,
      `  ${signature}`,
      `  ${String(headers["webhook-id"] ?? "no webhook-id")}${repeated}`,
      ...text.split("\n").map((line) => `  ${line}`),
    ].join("\n"),
  );
}
