import { type ReactNode, useRef } from "react";
import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { CopyButton } from "../../../ui/copy.tsx";
import { formatDuration, shortResponse } from "../states.ts";
import { headerLines, isResponseTruncated, readableBody } from "./attempt.ts";

interface AttemptExchangeProps {
  /** Undefined before the first attempt. */
  attempt: DeliveryAttempt | undefined;
  /** The body of the request, byte for byte. */
  body: string;
}

/** Shows the response to an attempt and its request in full, each part with a button that copies it. */
export function AttemptExchange({ attempt, body }: AttemptExchangeProps) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      {attempt && <ResponseSection attempt={attempt} />}
      <Section title={t("request")} label={attempt ? t("attemptRequest", { number: attempt.number }) : t("request")}>
        {attempt && <Part title={t("headers")} name={t("requestHeaders")} text={headerLines(attempt.request_headers)} />}
        <Part title={t("body")} name={t("requestBody")} text={readableBody(body)} copyText={body} />
      </Section>
    </div>
  );
}

function ResponseSection({ attempt }: { attempt: DeliveryAttempt }) {
  const { status, response_headers: headers, response_body: responseBody } = attempt;
  return (
    <Section
      title={t("response")}
      label={t("attemptResponse", { number: attempt.number })}
      aside={status === null ? undefined : t("responseIn", { answer: `HTTP ${shortResponse(attempt)}`, span: formatDuration(attempt.duration_ms) })}
    >
      {status === null ? (
        <p className="px-3 py-2.5 text-sm text-text-2">{t("noResponse")}</p>
      ) : (
        <>
          {headers && Object.keys(headers).length > 0 && <Part title={t("headers")} name={t("responseHeaders")} text={headerLines(headers)} />}
          <Part title={t("body")} name={t("responseBody")} text={responseBody ? readableBody(responseBody) : ""} copyText={responseBody ?? ""} />
          {isResponseTruncated(attempt) && <p className="px-3 py-2 text-sm text-text-2">{t("responseTruncated")}</p>}
        </>
      )}
    </Section>
  );
}

interface SectionProps {
  title: string;
  /** Accessible name, which tells the attempts apart. */
  label: string;
  aside?: string | undefined;
  children: ReactNode;
}

function Section({ title, label, aside, children }: SectionProps) {
  return (
    <section aria-label={label} className="min-w-0 overflow-clip rounded-md border border-line bg-bg">
      <div className="flex items-baseline justify-between gap-3 border-b border-line bg-surface px-3 py-1.5">
        <h4 className="font-semibold">{title}</h4>
        {aside && <span className="tabular text-sm text-text-2">{aside}</span>}
      </div>
      <div className="divide-y divide-line">{children}</div>
    </section>
  );
}

interface PartProps {
  title: string;
  /** Names the part for the button that copies it. */
  name: string;
  text: string;
  copyText?: string;
}

function Part({ title, name, text, copyText = text }: PartProps) {
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="px-3 pt-1 pb-2.5">
      <div className="-mr-2.5 flex min-h-8 items-center justify-between gap-3">
        <h5 className="text-sm text-text-3">{title}</h5>
        {text !== "" && <CopyButton label={t("copyPart", { part: name })} text={copyText} target={block} />}
      </div>
      <pre ref={block} className="font-mono text-xs wrap-anywhere whitespace-pre-wrap text-text-2">
        {text === "" ? t("emptyBody") : text}
      </pre>
    </div>
  );
}
