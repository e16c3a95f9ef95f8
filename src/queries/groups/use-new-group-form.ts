import { createGroup } from "../../../contract/operations/teams.ts";
import { useForm } from "../use-form.ts";
import { useCreateGroup } from "./use-groups.ts";

/** Returns the form that creates a group. */
export const useNewGroupForm = () => useForm(useCreateGroup(), createGroup.body, ["name"]);
