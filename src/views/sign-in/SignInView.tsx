import { useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { signIn as operation } from "../../../contract/operations/session.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { sanitizeNextPath } from "../../lib/sign-in.ts";
import { t as tPeople } from "../../lib/texts/people.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { useService } from "../../queries/service.ts";
import { useSignIn } from "../../queries/session.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { PasswordField, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AuthLayout } from "./AuthLayout.tsx";

export function SignInView() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const hasSessionEnded = (useLocation().state as { ended?: boolean } | null)?.ended === true;
  const service = useService();
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const form = useForm(useSignIn(), operation.body, ["login"]);

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
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          if (await form.submit(event, { login, password })) void navigate(sanitizeNextPath(search.get("next")), { replace: true });
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("login")}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          value={login}
          onChange={(event) => setLogin(event.target.value)}
          error={form.errorOf("login", t("login"))}
        />
        <PasswordField
          label={t("password")}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={form.errorOf("password", t("password"))}
          showLabel={tPeople("showPassword")}
          hideLabel={tPeople("hidePassword")}
        />
        <Button type="submit" variant="primary" size="lg" pending={form.isPending}>
          {t("signIn")}
        </Button>
      </form>
      <p className="mt-4 text-sm text-text-3">{t("forgot")}</p>
    </AuthLayout>
  );
}
