import { transferOwnership } from "../../../contract/operations/accounts.ts";
import type { Member } from "../../../contract/records.ts";
import { FormDialog } from "../../components/FormDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { t } from "../../lib/texts/settings.ts";
import { useTransferOwnership } from "../../queries/members.ts";
import { useSession } from "../../queries/session.ts";
import { announce } from "../../ui/announce.ts";
import { CheckField, PasswordField } from "../../ui/Field.tsx";

/** Makes a person an owner, and lets the user step down in the same step, after asking for the user's password. */
export function TransferDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { account } = useSession();
  const form = useForm(useTransferOwnership(member.id), transferOwnership.body, { password: "", step_down: true });
  const stepsDown = form.values.step_down;
  return (
    <FormDialog
      form={form}
      body={form.values}
      title={t("transferTitle", { name: member.username })}
      description={t("transferHelp")}
      submitLabel={t(stepsDown ? "transferConfirmStepDown" : "transferConfirm")}
      onDone={() => {
        announce(t("transferred", { name: member.username }));
        onClose();
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <CheckField
          label={t("transferStepDown")}
          hint={t("transferStepDownHint")}
          checked={stepsDown}
          onChange={(step_down) => form.setValues({ ...form.values, step_down })}
        />
        {/* Identifies the account of the password to password managers. */}
        <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
        <PasswordField {...form.field("password", t("transferPassword"))} name="current-password" autoComplete="current-password" required />
      </div>
    </FormDialog>
  );
}
