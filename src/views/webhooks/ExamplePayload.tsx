import { ChevronRight } from "lucide-react";
import { t } from "../../lib/texts/webhooks.ts";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { buildExampleEvent } from "./example-event.ts";

/** Shows an example payload, collapsed by default. */
export function ExamplePayload({ type }: { type: string }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-sm text-sm text-text-2 hover:text-text">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
        {t("example")}
        <span className="sr-only">: {type}</span>
      </summary>
      <Payload type={type} className="mt-1" />
    </details>
  );
}

export function Payload({ type, className = "" }: { type: string; className?: string }) {
  return (
    <CodeBlock
      label={t("exampleOf", { type })}
      text={JSON.stringify(buildExampleEvent(type), null, 2)}
      copyLabel={t("copy")}
      copiedLabel={t("copied")}
      className={className}
    />
  );
}
