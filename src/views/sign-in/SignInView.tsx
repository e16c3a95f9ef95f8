import { useLocation, useNavigate, useSearchParams } from "react-router";
import { signIn as operation } from "../../../contract/operations/session.ts";
import { Form, SubmitButton } from "../../components/Form.tsx";
import { useForm } from "../../components/use-form.ts";
import { sanitizeNextPath } from "../../lib/sign-in.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { useService } from "../../queries/service.ts";
import { useSignIn } from "../../queries/session.ts";
import { PasswordField, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AuthLayout } from "./AuthLayout.tsx";

export function SignInView() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hasSessionEnded = (useLocation().state as { ended?: boolean } | null)?.ended === true;
  const service = useService();
  const form = useForm(useSignIn(), operation.body, { login: "", password: "" });
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
      <Form form={form} body={form.values} onDone={() => void navigate(sanitizeNextPath(search.get("next")), { replace: true })}>
        <TextField {...form.field("login", t("login"))} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus required />
        <PasswordField {...form.field("password", t("password"))} name="password" autoComplete="current-password" required />
        <SubmitButton form={form} size="lg">
          {t("signIn")}
        </SubmitButton>
      </Form>
      <p className="mt-4 text-sm text-text-3">{t("forgot")}</p>
    </AuthLayout>
  );
}
