import { useState } from "react";
import { changePassword as operation } from "../../../../contract/operations/accounts.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { NewPasswordField } from "../../../components/NewPasswordField.tsx";
import { t as tPeople } from "../../../lib/texts/people.ts";
import { t } from "../../../lib/texts/settings.ts";
import { useChangePassword } from "../../../queries/account.ts";
import { useSession } from "../../../queries/session.ts";
import { useForm } from "../../../queries/use-form.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";

export function PasswordForm() {
  const { account } = useSession();
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [isChanged, setIsChanged] = useState(false);
  const changePassword = useChangePassword();
  const form = useForm(
    {
      // Returns true, because the operation itself returns nothing, which the form would treat as a failure.
      mutateAsync: async (body: { current_password: string; new_password: string }) => {
        await changePassword.mutateAsync(body);
        return true;
      },
      isPending: changePassword.isPending,
      error: changePassword.error,
      reset: changePassword.reset,
    },
    operation.body,
    ["current_password", "new_password"],
  );
  return (
    <form
      ref={form.ref}
      noValidate
      className="flex flex-col gap-4 py-4"
      onSubmit={async (event) => {
        setIsChanged(false);
        if (!(await form.submit(event, { current_password: currentPassword, new_password: newPassword }))) return;
        setCurrentPassword("");
        setNewPassword("");
        setIsChanged(true);
      }}
    >
      <FormProblem problem={form.problem} />
      {isChanged && <Notice tone="ok">{t("passwordChanged")}</Notice>}
      {/* Identifies the account of the password to password managers. */}
      <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
      <div className="grid items-start gap-4 tablet:grid-cols-2">
        <PasswordField
          label={t("currentPassword")}
          name="current-password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.target.value)}
          error={form.errorOf("current_password", t("currentPassword"))}
          showLabel={tPeople("showPassword")}
          hideLabel={tPeople("hidePassword")}
        />
        <NewPasswordField label={t("newPassword")} value={newPassword} onChange={setNewPassword} error={form.errorOf("new_password", t("newPassword"))} />
      </div>
      <div>
        <Button type="submit" pending={form.isPending}>
          {t("changePassword")}
        </Button>
      </div>
    </form>
  );
}
