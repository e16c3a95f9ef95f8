/** What is printed of a webhook that came. */
import type { Verdict } from "./verify.ts";

export interface Came {
  /** Milliseconds. */
  at: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** null: no secret is known yet. */
  verdict: Verdict | null;
  /** How often this `webhook-id` has come by now. */
  times: number;
  /** What it is answered with. */
  status: number;
}

/** Somebody else's text must not move the cursor or change colors. */
const tame = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\u{FFFD}");

function pretty(body: string): { type: string; text: string } {
  try {
    const parsed = JSON.parse(body) as { type?: unknown };
    return { type: typeof parsed?.type === "string" ? parsed.type : "?", text: JSON.stringify(parsed, null, 2) };
  } catch {
    return { type: "not JSON", text: body };
  }
}

export function show({ at, headers, body, verdict, times, status }: Came): string {
  const { type, text } = pretty(body);
  const signature =
    verdict === null
      ? "signature not checked: paste the endpoint's secret (whsec_…) and press Enter"
      : verdict === "genuine"
        ? "signature genuine"
        : `SIGNATURE REFUSED: ${verdict}`;
  const repeated = times > 1 ? ` · came ${times} times` : "";
  return tame(
    [
      ``,
      `${new Date(at).toLocaleTimeString("en-GB")}  ${type}  → ${status}`,
      `  ${signature}`,
      `  ${String(headers["webhook-id"] ?? "no webhook-id")}${repeated}`,
      ...text.split("\n").map((line) => `  ${line}`),
    ].join("\n"),
  );
}
