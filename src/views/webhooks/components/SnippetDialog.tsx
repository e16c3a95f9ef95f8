import { useState } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/CodeBlock.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { buildExampleEvent } from "../model/example.ts";
import { LANGUAGES, renderSnippet, type Language } from "../model/snippets.ts";

export const LANGUAGE_NAMES: Record<Language, string> = { node: t("snippetNode"), python: t("snippetPython"), curl: t("snippetCurl") };
const HELP: Record<Language, string> = { node: t("snippetNodeHelp"), python: t("snippetPythonHelp"), curl: t("snippetCurlHelp") };

interface Props {
  endpoint: WebhookEndpoint;
  initialLanguage: Language;
  onClose(): void;
}

/** Shows code that verifies the signatures of this endpoint. */
export function SnippetDialog({ endpoint, initialLanguage, onClose }: Props) {
  const [language, setLanguage] = useState(initialLanguage);
  return (
    <Dialog title={t("snippetTitle")} description={HELP[language]} closeLabel={t("close")} onClose={onClose} width="lg" lightDismiss>
      <div className="mb-3 flex gap-1">
        {LANGUAGES.map((option) => (
          <Button
            key={option}
            size="sm"
            variant={option === language ? "secondary" : "ghost"}
            aria-pressed={option === language}
            onClick={() => setLanguage(option)}
          >
            {LANGUAGE_NAMES[option]}
          </Button>
        ))}
      </div>
      <CodeBlock
        key={language}
        label={LANGUAGE_NAMES[language]}
        text={renderSnippet(language, endpoint, buildExampleEvent)}
        copyLabel={t("copy")}
        copiedLabel={t("copied")}
        tall
      />
      <DialogActions>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}
