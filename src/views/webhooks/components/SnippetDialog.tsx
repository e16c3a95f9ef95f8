import { useState } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/CodeBlock.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { exampleOf } from "../model/example.ts";
import { LANGUAGES, snippetOf, type Language } from "../model/snippets.ts";

export const LANGUAGE_NAMES: Record<Language, string> = { node: t("snippetNode"), python: t("snippetPython"), curl: t("snippetCurl") };
const HELP: Record<Language, string> = { node: t("snippetNodeHelp"), python: t("snippetPythonHelp"), curl: t("snippetCurlHelp") };

interface Props {
  endpoint: WebhookEndpoint;
  first: Language;
  onClose(): void;
}

/** Code that checks the signatures of this very endpoint. */
export function SnippetDialog({ endpoint, first, onClose }: Props) {
  const [language, setLanguage] = useState(first);
  return (
    <Dialog title={t("snippetTitle")} description={HELP[language]} closeLabel={t("close")} onClose={onClose} width="lg" lightDismiss>
      <div className="mb-3 flex gap-1">
        {LANGUAGES.map((one) => (
          <Button key={one} size="sm" look={one === language ? "secondary" : "ghost"} aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {LANGUAGE_NAMES[one]}
          </Button>
        ))}
      </div>
      <CodeBlock
        key={language}
        label={LANGUAGE_NAMES[language]}
        text={snippetOf(language, endpoint, exampleOf)}
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
