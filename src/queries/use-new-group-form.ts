import { createGroup } from "../../contract/operations/teams.ts";
import { useCreateGroup } from "./teams.ts";
import { useForm } from "./use-form.ts";

/** Returns the form that creates a group. */
export const useNewGroupForm = () => useForm(useCreateGroup(), createGroup.body, ["name"]);
