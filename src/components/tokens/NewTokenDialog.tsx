import { type ReactNode, useState } from "react";
import type * as z from "zod/mini";
import type { Scope } from "../../../contract/define-operation.ts";
import { cleanName } from "../../../contract/text.ts";
import { useServiceTime } from "../../client/client.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatDayTime } from "../../lib/time.ts";
import { TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { FormDialog } from "../FormDialog.tsx";
import { SecretStep } from "../SecretDialog.tsx";
import { type FormMutation, useForm } from "../use-form.ts";
import { ScopeFields, type ScopeFieldsProps } from "./ScopeFields.tsx";

const EXPIRY_OPTIONS = [
  [7, t("in7")],
  [30, t("in30")],
  [90, t("in90")],
  [365, t("in365")],
  [0, t("noExpiration")],
] as const;
const DAY_MS = 86_400_000;

/** Computes the expiry once when a span is chosen, so that a retry of the form sends the same time. */
const createExpiry = (days: number) => ({ days, expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString() });

interface NewTokenDialogProps<S extends Scope> {
  create: FormMutation<{ name: string; scopes: S[]; expires_at: string | null }, { token?: string | undefined }>;
  /** Validates the body of the request. */
  schema: z.ZodMiniType;
  /** The scopes that the token can have, and those that are checked at first. */
  scopeOptions: readonly S[];
  defaultScopes: readonly S[];
  describe: ScopeFieldsProps<S>["describe"];
  /** Shown with the new token: how to use it. */
  renderExample(token: string, scopes: readonly S[]): ReactNode;
  onClose(): void;
}

/** Creates a token and shows it once. */
export function NewTokenDialog<S extends Scope>({ create, schema, scopeOptions, defaultScopes, describe, renderExample, onClose }: NewTokenDialogProps<S>) {
  const [initialExpiry] = useState(() => createExpiry(90));
  const [created, setCreated] = useState<{ token?: string | undefined } | null>(null);
  const form = useForm(create, schema, { name: "", scopes: defaultScopes, ...initialExpiry });
  const { name, scopes, days, expires_at } = form.values;
  const now = useServiceTime();
  return (
    <FormDialog
      title={created ? t("tokenReady") : t("newToken")}
      description={created?.token !== undefined && t("tokenReadyHelp")}
      form={form}
      body={{ name: cleanName(name), scopes: [...scopes], expires_at }}
      onDone={setCreated}
      onClose={onClose}
      submitLabel={t("tokenCreate")}
      result={
        created && (
          <SecretStep label={t("tokenLabel")} secret={created.token} hiddenText={t("tokenHidden")} onClose={onClose}>
            {created.token !== undefined && renderExample(created.token, scopes)}
          </SecretStep>
        )
      }
    >
      <TextField {...form.field("name", t("tokenName"))} hint={t("tokenNameHint")} autoComplete="off" autoFocus required maxLength={80} />
      <ScopeFields
        label={t("tokenScopes")}
        error={form.errorOf("scopes", t("tokenScopes"))}
        options={scopeOptions}
        scopes={scopes}
        describe={describe}
        onChange={(next) => form.setValues({ scopes: next })}
      />
      <Select
        label={t("tokenExpiry")}
        value={days}
        options={EXPIRY_OPTIONS}
        hint={expires_at === null ? t("tokenNoExpiryHint") : t("tokenExpiryHint", { when: formatDayTime(expires_at, now) })}
        onChange={(next) => form.setValues(createExpiry(next))}
        error={form.errorOf("expires_at", t("tokenExpiry"))}
      />
    </FormDialog>
  );
}
