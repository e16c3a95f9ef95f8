import { useState } from "react";
import { SCOPES, type Scope } from "../../../../contract/define-operation.ts";
import { createToken as operation } from "../../../../contract/operations/accounts.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { SecretStep } from "../../../components/SecretDialog.tsx";
import { t } from "../../../lib/texts/settings.ts";
import { useCreateToken } from "../../../queries/account.ts";
import { useForm } from "../../../queries/use-form.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { CheckField, SelectField, TextField } from "../../../ui/Field.tsx";

const SCOPE_LABELS = {
  "account:read": "scopeAccountRead",
  "chat:read": "scopeChatRead",
  "chat:write": "scopeChatWrite",
  "files:read": "scopeFilesRead",
  "files:write": "scopeFilesWrite",
  webhooks: "scopeWebhooks",
  admin: "scopeAdmin",
} as const;
const EXPIRY_OPTIONS = [
  [30, "in30"],
  [90, "in90"],
  [365, "in365"],
  [0, "noExpiration"],
] as const;
const DAY_MS = 86_400_000;

/** Computes the expiry once when a span is chosen, so that a retry of the form sends the same time. */
const createExpiry = (days: number) => ({ days, expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString() });

/** Creates a token and shows it once. */
export function NewTokenDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["account:read", "chat:read"]);
  const [{ days, expires_at }, setExpiry] = useState(() => createExpiry(90));
  const [created, setCreated] = useState<{ token?: string | undefined } | null>(null);
  const form = useForm(useCreateToken(), operation.body, ["name", "scopes", "expires_at"]);

  if (created) {
    return (
      <Dialog title={t("tokenReady")} description={created.token !== undefined && t("tokenReadyHelp")} closeLabel={t("close")} onClose={onClose}>
        <SecretStep label={t("tokenLabel")} secret={created.token} hiddenText={t("tokenHidden")} onClose={onClose} />
      </Dialog>
    );
  }
  const scopesError = form.errorOf("scopes", t("tokenScopes"));
  return (
    <Dialog title={t("newToken")} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const token = await form.submit(event, { name: name.trim(), scopes: [...scopes], expires_at });
          if (token) setCreated(token);
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("tokenName")}
          hint={t("tokenNameHint")}
          autoComplete="off"
          autoFocus
          required
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={form.errorOf("name", t("tokenName"))}
        />
        <fieldset aria-describedby={scopesError ? "scopes-error" : undefined}>
          <legend className="mb-1.5 text-sm font-medium">{t("tokenScopes")}</legend>
          <div className="flex flex-col gap-1">
            {SCOPES.map((scope) => (
              <CheckField
                key={scope}
                label={t(SCOPE_LABELS[scope])}
                hint={<code className="font-mono text-xs">{scope}</code>}
                checked={scopes.includes(scope)}
                onChange={(event) => setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((selected) => selected !== scope))}
              />
            ))}
          </div>
          {scopesError && (
            <p id="scopes-error" role="alert" className="mt-1 text-sm text-danger">
              {scopesError}
            </p>
          )}
        </fieldset>
        <SelectField
          label={t("tokenExpiry")}
          value={days}
          onChange={(event) => setExpiry(createExpiry(Number(event.target.value)))}
          error={form.errorOf("expires_at", t("tokenExpiry"))}
        >
          {EXPIRY_OPTIONS.map(([value, text]) => (
            <option key={value} value={value}>
              {t(text)}
            </option>
          ))}
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("tokenCreate")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
