import { banderoleDoc } from "../../widgets/banderole/banderole.examples.tsx";
import { buttonDoc } from "../../widgets/button/button.examples.tsx";
import { checkboxDoc } from "../../widgets/checkbox/checkbox.examples.tsx";
import { dateInputDoc } from "../../widgets/date-input/date-input.examples.tsx";
import { errorSummaryDoc } from "../../widgets/error-summary/error-summary.examples.tsx";
import { expandableDoc } from "../../widgets/expandable/expandable.examples.tsx";
import { iconButtonDoc } from "../../widgets/icon-button/icon-button.examples.tsx";
import { modalDoc } from "../../widgets/modal/modal.examples.tsx";
import { notificationDoc } from "../../widgets/notification/notification.examples.tsx";
import { passwordStrengthDoc } from "../../widgets/password-strength/password-strength.examples.tsx";
import { salutationDoc } from "../../widgets/salutation/salutation.examples.tsx";
import { selectDoc } from "../../widgets/select/select.examples.tsx";
import { textInputDoc } from "../../widgets/text-input/text-input.examples.tsx";
import { textLinkDoc } from "../../widgets/text-link/text-link.examples.tsx";
import { timeInputDoc } from "../../widgets/time-input/time-input.examples.tsx";
import type { WidgetDoc } from "../../widgets/widget-doc.ts";

/** Every widget of the kit, in the order of the gallery. */
export const widgetDocs: WidgetDoc[] = [
  buttonDoc,
  iconButtonDoc,
  textLinkDoc,
  textInputDoc,
  passwordStrengthDoc,
  dateInputDoc,
  timeInputDoc,
  selectDoc,
  checkboxDoc,
  salutationDoc,
  errorSummaryDoc,
  notificationDoc,
  banderoleDoc,
  expandableDoc,
  modalDoc,
];
