import { useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { signIn as operation } from "../../../contract/operations/session.ts";
import type { Organisation } from "../../../contract/records.ts";
import { Form, SubmitButton } from "../../components/Form.tsx";
import { useForm } from "../../components/use-form.ts";
import { needsDocument, sanitizeNextPath } from "../../lib/sign-in.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { useService } from "../../queries/service.ts";
import { getSignInChoices, useSignIn } from "../../queries/session.ts";
import { PasswordField, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Select } from "../../ui/Select.tsx";
import { AuthLayout } from "./AuthLayout.tsx";

export function SignInView() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hasSessionEnded = (useLocation().state as { ended?: boolean } | null)?.ended === true;
  const service = useService();
  const signIn = useSignIn();
  const form = useForm(signIn, operation.body, { login: "", password: "", organisation_id: null as number | null });
  // Set after a password that fits accounts in several organizations, until the next response.
  const [lastChoices, setLastChoices] = useState<Organisation[]>([]);
  const organisations = signIn.isPending ? lastChoices : getSignInChoices(signIn.error);
  if (organisations !== lastChoices) setLastChoices(organisations);
  const { login, password, organisation_id: chosenId } = form.values;
  function openNext() {
    const next = sanitizeNextPath(search.get("next"));
    if (needsDocument(next)) location.replace(next);
    else void navigate(next, { replace: true });
  }
  const organisationId = (organisations.find(({ id }) => id === chosenId) ?? organisations[0])?.id;
  return (
    <AuthLayout title={t("signInTitle")} lead={t("signInLead")}>
      {hasSessionEnded && (
        <Notice tone="info" title={t("sessionEnded")} className="mb-5">
          {t("sessionEndedHelp")}
        </Notice>
      )}
      {service.data?.setup_required && (
        <Notice tone="info" title={t("notSetUp")} className="mb-5">
          {t("notSetUpHelp")}
        </Notice>
      )}
      <Form
        form={form}
        body={{ login, password, organisation_id: organisationId }}
        problemTone={organisations.length > 0 ? "info" : "danger"}
        onDone={openNext}
      >
        <TextField {...form.field("login", t("login"))} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus required />
        <PasswordField {...form.field("password", t("password"))} name="password" autoComplete="current-password" required />
        {organisationId !== undefined && (
          <Select
            {...form.field("organisation_id", t("chooseOrganisation"))}
            value={organisationId}
            options={organisations.map(({ id, name }) => [id, name] as const)}
            autoFocus
          />
        )}
        <SubmitButton form={form} size="lg">
          {t("signIn")}
        </SubmitButton>
      </Form>
      <p className="mt-4 text-sm text-text-3">{t("forgot")}</p>
      <Link reloadDocument to="/connect" className="mt-2 inline-block rounded-sm text-sm text-text-2 underline underline-offset-2 hover:text-text">
        {t("connect")}
      </Link>
    </AuthLayout>
  );
}
