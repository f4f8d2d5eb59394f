/** What a control needs to belong to its label, hint and error. */
export interface FieldControl {
  id: string
  describedby: string | undefined
  invalid: boolean
  required: boolean
}
