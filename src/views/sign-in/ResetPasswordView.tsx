import { useState } from "react";
import { useNavigate } from "react-router";
import { resetPassword as operation } from "../../../contract/operations/session.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { NewPasswordField } from "../../components/NewPasswordField.tsx";
import { t as tPeople } from "../../lib/texts/people.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { useResetPassword } from "../../queries/session.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { AuthLayout, UnusableLink, useLinkToken } from "./AuthLayout.tsx";

export function ResetPasswordView() {
  const navigate = useNavigate();
  const token = useLinkToken();
  const [password, setPassword] = useState("");
  const form = useForm(useResetPassword(), operation.body, ["password"]);
  if (!token) {
    return (
      <AuthLayout title={t("resetNoToken")}>
        <UnusableLink>{t("resetNoTokenHelp")}</UnusableLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("resetTitle")} lead={t("resetLead")}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          if (await form.submit(event, { token, password })) void navigate("/", { replace: true });
        }}
      >
        <FormProblem problem={form.problem} />
        <NewPasswordField label={tPeople("newPassword")} value={password} onChange={setPassword} error={form.errorOf("password", tPeople("newPassword"))} />
        <Button type="submit" variant="primary" size="lg" pending={form.isPending}>
          {t("resetSubmit")}
        </Button>
      </form>
    </AuthLayout>
  );
}
