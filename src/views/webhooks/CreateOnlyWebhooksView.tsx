import { Plus, Webhook } from "lucide-react";
import { useRef, useState } from "react";
import { useClient } from "../../client/client.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/documented-shell.ts";
import { formatDateTime } from "../../lib/time.ts";
import type { DocumentedEndpoint } from "../../queries/webhooks/use-webhooks.ts";
import { type CreatedEndpoint, findSecret, useCreatedEndpoints } from "../../sync/device-records.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock, CopyField } from "../../ui/copy.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CloseButton } from "../../ui/IconButton.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";
import { DocumentedEndpointForm } from "./endpoints/EndpointForm.tsx";

/** Creates webhook endpoints of a service that has only the operations of the service document, and lists those created on this device. */
export function CreateOnlyWebhooksView() {
  const endpoints = useCreatedEndpoints();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<DocumentedEndpoint | null>(null);
  const newButtonRef = useRef<HTMLButtonElement>(null);
  const focusNewButton = useFocusAfterRemoval(newButtonRef);
  const newButton = (
    <Button ref={newButtonRef} icon={Plus} variant="primary" onClick={() => setIsCreating(true)}>
      {t("newEndpoint")}
    </Button>
  );
  const close = () => {
    setIsCreating(false);
    setCreated(null);
  };
  return (
    <div className="h-full overflow-y-auto">
      <title>{`${t("webhooksTitle")} · ${tCommon("brand")}`}</title>
      <div className="mx-auto flex max-w-190 flex-col gap-5 px-4 py-6 tablet:px-6 tablet:py-8">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-80">
            <h1 tabIndex={-1} className="text-xl font-semibold">
              {t("webhooksTitle")}
            </h1>
            <p className="mt-1 text-text-2">{t("webhooksLead")}</p>
          </div>
          {endpoints.length > 0 && newButton}
        </header>
        {endpoints.length === 0 ? (
          <div className="rounded-lg border border-line bg-bg">
            <EmptyState icon={<Webhook size={22} aria-hidden />} title={t("noEndpoints")} actions={newButton}>
              {t("notListed")}
            </EmptyState>
          </div>
        ) : (
          <>
            <p className="text-sm text-text-3">{t("notListed")}</p>
            <ul className="flex flex-col gap-3">
              {endpoints.map((endpoint) => (
                <Endpoint key={`${endpoint.createdAt} ${endpoint.url}`} endpoint={endpoint} onForgotten={focusNewButton} />
              ))}
            </ul>
          </>
        )}
      </div>
      {isCreating && !created && <DocumentedEndpointForm onDone={setCreated} onClose={close} />}
      {created && <CreatedDialog created={created} onClose={close} />}
    </div>
  );
}

function Endpoint({ endpoint, onForgotten }: { endpoint: CreatedEndpoint; onForgotten(): void }) {
  const { deviceRecords } = useClient();
  const [isForgetting, setIsForgetting] = useState(false);
  return (
    <li className="rounded-lg border border-line bg-bg p-4">
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 font-semibold wrap-anywhere">{endpoint.url}</h2>
        <CloseButton label={t("forgetEndpoint", { url: endpoint.url })} className="-mt-1.5 -mr-1.5 -mb-1.5" onClick={() => setIsForgetting(true)} />
      </div>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {endpoint.eventTypes.map((type) => (
          <li key={type} className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs text-text-2">
            {type}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-text-3">{t("createdAt", { when: formatDateTime(endpoint.createdAt) })}</p>
      {endpoint.data !== null && (
        <details className="mt-2">
          <summary className="rounded-sm text-sm text-text-2 hover:text-text">{t("response")}</summary>
          <CodeBlock label={t("response")} text={JSON.stringify(endpoint.data, null, 2)} wrap className="mt-1" />
        </details>
      )}
      {isForgetting && (
        <ConfirmDialog
          title={t("forgetTitle")}
          description={t("forgetHelp")}
          confirmLabel={t("forgetConfirm")}
          onConfirm={() => {
            onForgotten();
            deviceRecords.get().forgetEndpoint(endpoint);
          }}
          onClose={() => setIsForgetting(false)}
        />
      )}
    </li>
  );
}

/** Shows once what the service responded, with its signing secret if it sent one. */
function CreatedDialog({ created, onClose }: { created: DocumentedEndpoint; onClose(): void }) {
  const text = findSecret(created.responseData);
  return (
    <Dialog title={t("secretTitle")} description={text === null ? undefined : t("secretHelp")} width="lg" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {text !== null && <CopyField label={t("secretLabel")} value={text} />}
        <p className="text-text-2">{t("createdHelp")}</p>
        <CodeBlock label={t("response")} text={JSON.stringify(created.responseData, null, 2)} wrap />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {tCommon("done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
