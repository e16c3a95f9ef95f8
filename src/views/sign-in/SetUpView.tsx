import { useState } from "react";
import { useNavigate } from "react-router";
import { setUp as operation } from "../../../contract/operations/session.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { t } from "../../lib/texts/sign-in.ts";
import { useService } from "../../queries/service.ts";
import { useSetUp } from "../../queries/session.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { AuthLayout, UnusableLink, useLinkToken } from "./AuthLayout.tsx";
import { PersonFields } from "./PersonFields.tsx";

export function SetUpView() {
  const navigate = useNavigate();
  const token = useLinkToken();
  const service = useService();
  const [organisation, setOrganisation] = useState("");
  const [person, setPerson] = useState({ username: "", email: "", password: "" });
  const form = useForm(useSetUp(), operation.body, ["organisation", "username", "email", "password"]);

  if (service.data?.setup_required === false && !form.isPending) {
    return (
      <AuthLayout title={t("setupDone")}>
        <UnusableLink>{t("setupDoneHelp")}</UnusableLink>
      </AuthLayout>
    );
  }
  if (!token) {
    return (
      <AuthLayout title={t("setupNoToken")}>
        <UnusableLink>{t("setupNoTokenHelp")}</UnusableLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("setupTitle")} lead={t("setupLead")}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          if (await form.submit(event, { token, organisation, ...person })) void navigate("/welcome", { replace: true });
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("organisation")}
          hint={t("organisationHint")}
          name="organization"
          autoComplete="organization"
          required
          autoFocus
          maxLength={120}
          value={organisation}
          onChange={(event) => setOrganisation(event.target.value)}
          error={form.errorOf("organisation", t("organisation"))}
        />
        <PersonFields value={person} onChange={setPerson} errorOf={form.errorOf} />
        <Button type="submit" variant="primary" size="lg" pending={form.isPending}>
          {t("setupSubmit")}
        </Button>
      </form>
    </AuthLayout>
  );
}
