/** Tables of delivery rules. */
export interface DeliveryRuleTables {
  /** What the files of a team must fulfill. A team without a row has no rules. */
  delivery_rules: {
    team_id: number;
    /** JSON as in the contract's `deliveryRuleInput`. */
    rules: string;
    updated_by: number;
    updated_at: number;
  };
}
