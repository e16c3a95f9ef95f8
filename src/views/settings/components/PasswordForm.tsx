import { useState } from "react";
import { changePassword as operation } from "../../../../contract/operations/accounts.ts";
import { t as tp } from "../../../lib/messages/people.ts";
import { t } from "../../../lib/messages/settings.ts";
import { NewPasswordField } from "../../../parts/password/NewPasswordField.tsx";
import { useChangePassword } from "../../../queries/account/use-account.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { useForm } from "../../../queries/use-form.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { PasswordField } from "../../../ui/PasswordField.tsx";

export function PasswordForm() {
  const { account } = useSession();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [done, setDone] = useState(false);
  const send = useChangePassword();
  const form = useForm(
    {
      // Answers true: the operation itself answers nothing, which would look like a failure.
      mutateAsync: async (body: { current_password: string; new_password: string }) => {
        await send.mutateAsync(body);
        return true;
      },
      isPending: send.isPending,
      error: send.error,
      reset: send.reset,
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
        setDone(false);
        if (!(await form.submit(event, { current_password: current, new_password: next }))) return;
        setCurrent("");
        setNext("");
        setDone(true);
      }}
    >
      {form.problem && <Notice title={form.problem.title}>{form.problem.help}</Notice>}
      {done && <Notice tone="ok">{t("passwordChanged")}</Notice>}
      {/* For password managers, which want to know whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
      <div className="grid items-start gap-4 tablet:grid-cols-2">
        <PasswordField
          label={t("currentPassword")}
          name="current-password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          error={form.errorOf("current_password", t("currentPassword"))}
          showLabel={tp("showPassword")}
          hideLabel={tp("hidePassword")}
        />
        <NewPasswordField label={t("newPassword")} value={next} onChange={setNext} error={form.errorOf("new_password", t("newPassword"))} />
      </div>
      <div>
        <Button type="submit" pending={form.pending}>
          {t("changePassword")}
        </Button>
      </div>
    </form>
  );
}
