import type { Command } from "commander";
import type { Moment } from "../../../client/rules/time.ts";
import type { ShopImport } from "../../../schemas/types.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { StartError, UsageError } from "../../platform/errors.ts";
import { formatIn, parseTimeIn, toIso, toIsoOrNull } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import type { Site } from "../../sites/countries.ts";
import type { CommandContext, Run } from "../../store/command.ts";
import type { Database } from "../../store/open-store.ts";
import type { Tables } from "../../store/tables.ts";
import { footerKey } from "./service.ts";

type PromotionRow = Tables["promotion"];

/** The options of `add` and `change`, as commander names them. */
type Options = Partial<
  Record<"site" | "headline" | "text" | "linkUrl" | "linkText" | "from" | "to" | "test" | "group", string | undefined>
>;

/** The value of `--to` for a promotion without an end. */
const never = "never";

/** The option of each field that a fault names. */
const optionOf: Record<string, string> = {
  headline: "--headline",
  text: "--text",
  "link/url": "--link-url",
  "link/text": "--link-text",
  test: "--test",
  group: "--group",
};

/** Adds the commands that plan the promotions of the embedded service. */
export function promotionCommands(program: Command, run: Run): void {
  const promotions = program.command("promotions");
  const planned = (command: Command, required: boolean) => {
    const option = (flags: string, says: string) =>
      required ? command.requiredOption(flags, says) : command.option(flags, says);
    option("--headline <text>", "the headline");
    option("--text <text>", "the text below it");
    option("--link-url <url>", "a path of the site, or an address with http or https");
    option("--link-text <text>", "the text of the link");
    option("--from <time>", "its first moment, such as 2026-12-01 or 2026-12-01T08:00 in the site's time zone");
    return command
      .option("--to <time>", `the first moment after it, or ${never}`)
      .option("--test <test>", "with --group: only for a group of an A/B test")
      .option("--group <group>", "the group of that test");
  };
  planned(promotions.command("add").requiredOption("--site <site>", "the site that shows it"), true)
    .description("plan a promotion in the footer of a site")
    .action(run(addPromotion));
  planned(promotions.command("change <id>"), false)
    .description("change the given values of a promotion")
    .action(run(changePromotion));
  promotions
    .command("end <id>")
    .description("end a promotion now, or at a time")
    .option("--at <time>", "the first moment after it")
    .action(run(endPromotion));
  promotions.command("remove <id>").description("remove a promotion").action(run(removePromotion));
  promotions.command("list").description("list the promotions").action(run(listPromotions));
}

async function addPromotion({ audit, loadSites, openStore, output }: CommandContext, options: Options) {
  const site = findSite(await loadSites(), options.site);
  const { db } = await openStore();
  // Commander requires all of these.
  const unset = { headline: "", text: "", linkUrl: "", linkText: "", validFrom: 0 };
  const everybody = { test: null, testGroup: null };
  const values = { ...unset, validTo: null, ...everybody, ...(await readValues(db, site, options)) };
  refuseLateStart(values);
  if (values.validTo !== null && values.validTo <= Date.now()) throw new UsageError(["--to must be in the future"]);
  const id = await findFreeId(db, site, values.validFrom);
  const row = { ...values, id, key: footerKey, site: site.site };
  const event = { event: "promotion_added", site: row.site, subject: id } as const;
  await audit.change(db, event, (transaction) => transaction.insertInto("promotion").values(row).execute());
  await tell(output, "added", row, site);
}

async function changePromotion({ audit, loadSites, openStore, output }: CommandContext, id: string, options: Options) {
  const { db } = await openStore();
  const row = await findPromotion(db, id);
  const site = findSite(await loadSites(), row.site);
  const values = await readValues(db, site, options);
  const changed = { ...row, ...values };
  refuseLateStart(changed);
  if (Object.keys(values).length === 0) throw new UsageError(["promotions change needs a value to change"]);
  const event = { event: "promotion_changed", site: row.site, subject: id } as const;
  await audit.change(db, event, (transaction) => updatePromotion(transaction, id, values));
  await tell(output, "changed", changed, site);
}

async function endPromotion(
  { audit, loadSites, openStore, output }: CommandContext,
  id: string,
  { at }: { at?: string },
) {
  const { db } = await openStore();
  const row = await findPromotion(db, id);
  const site = findSite(await loadSites(), row.site);
  const validTo = at === undefined ? Date.now() : readTime("--at", at, site);
  if (validTo <= row.validFrom)
    throw new StartError([`${id} has not begun then: remove it with \`promotions remove ${id}\``]);
  const event = { event: "promotion_ended", site: row.site, subject: id } as const;
  await audit.change(db, event, (transaction) => updatePromotion(transaction, id, { validTo }));
  await tell(output, "ends", { ...row, validTo }, site);
}

async function removePromotion({ audit, openStore, output }: CommandContext, id: string) {
  const { db } = await openStore();
  const { site } = await findPromotion(db, id);
  const event = { event: "promotion_removed", site, subject: id } as const;
  await audit.change(db, event, (transaction) => transaction.deleteFrom("promotion").where("id", "=", id).execute());
  await output.say(`${id} removed`);
}

async function updatePromotion(db: Database, id: string, values: Partial<PromotionRow>): Promise<void> {
  await db.updateTable("promotion").set(values).where("id", "=", id).execute();
}

/** Lists the promotions, the earliest first, each with the A/B group that it is limited to. */
async function listPromotions({ openStore, output }: CommandContext) {
  const { db } = await openStore();
  const rows = await db
    .selectFrom("promotion")
    .select(["id", "key", "site", "headline", "text", "linkUrl", "linkText"])
    .select(["validFrom", "validTo", "test", "testGroup as group"])
    .orderBy("validFrom")
    .orderBy("id")
    .execute();
  await output.list(
    rows.map(({ validFrom, validTo, ...promotion }) => ({
      ...promotion,
      validFrom: toIso(validFrom),
      validTo: toIsoOrNull(validTo),
    })),
  );
}

/**
 * Reads the given options, and checks them as those of an imported promotion.
 * @throws UsageError naming every wrong option
 */
async function readValues(db: Database, site: Site, options: Options): Promise<Partial<PromotionRow>> {
  const { headline, text, linkUrl, linkText, from, to, test, group } = options;
  if ((test === undefined) !== (group === undefined)) throw new UsageError(["--test and --group belong together"]);
  const faults = findFaults({ headline, text, linkUrl, linkText });
  if (test !== undefined && group !== undefined && !(await hasGroup(db, test, group)))
    faults.push(`--group must be a group of the A/B test ${test}: \`tests list\` names them`);
  if (faults.length > 0) throw new UsageError(faults);
  return {
    ...(headline !== undefined && { headline }),
    ...(text !== undefined && { text }),
    ...(linkUrl !== undefined && { linkUrl }),
    ...(linkText !== undefined && { linkText }),
    ...(from !== undefined && { validFrom: readTime("--from", from, site) }),
    ...(to !== undefined && { validTo: to === never ? null : readTime("--to", to, site) }),
    ...(test !== undefined && { test }),
    ...(group !== undefined && { testGroup: group }),
  };
}

const validate = refuseBrokenLetters(createValidator<ShopImport>("shop-import"));

/** Finds what an import would refuse of some texts; those that aren't given have no faults. */
function findFaults({ headline = "-", text = "-", linkUrl = "/", linkText = "-" }: Options): string[] {
  const link = { url: linkUrl, text: linkText };
  const promotion = { id: "-", key: footerKey, site: "-", headline, text, link, validFrom: toIso(0) };
  const result = validate({ promotions: [promotion] });
  if (result.valid) return [];
  return result.faults.map((fault) =>
    fault.replace(/^\/promotions\/0\/(\S+)/, (path, field: string) => optionOf[field] ?? path),
  );
}

async function hasGroup(db: Database, test: string, group: string): Promise<boolean> {
  const found = db.selectFrom("abTestGroup").select("name").where("test", "=", test).where("name", "=", group);
  return (await found.executeTakeFirst()) !== undefined;
}

function readTime(option: string, time: string, { timeZone }: Site): Moment {
  const at = parseTimeIn(timeZone, time);
  if (at !== undefined) return at;
  throw new UsageError([
    `${option} must be a time that ${timeZone} has once, such as 2026-12-24 for its midnight, 2026-12-24T18:00 or 2026-12-24T18:00:00Z`,
  ]);
}

function refuseLateStart({ validFrom, validTo }: Pick<PromotionRow, "validFrom" | "validTo">) {
  if (validTo !== null && validTo <= validFrom) throw new UsageError(["--to must be later than --from"]);
}

function findSite(sites: readonly Site[], code: string | undefined): Site {
  const site = sites.find((known) => known.site === code);
  if (site) return site;
  throw new UsageError([`--site must be one of ${sites.map((known) => known.site).join(", ")}`]);
}

async function findPromotion(db: Database, id: string): Promise<PromotionRow> {
  const row = await db.selectFrom("promotion").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) return row;
  throw new StartError([`there is no promotion ${id}: \`promotions list\` names all`]);
}

/** Names a promotion by its site and first day, such as `DE-2026-12-01`, and by a number where there are several. */
async function findFreeId(db: Database, { site, timeZone }: Site, validFrom: Moment): Promise<string> {
  const [day] = formatIn(timeZone, validFrom).split(" ");
  const name = `${site}-${day}`;
  const rows = await db.selectFrom("promotion").select("id").where("id", "like", `${name}%`).execute();
  const taken = new Set(rows.map(({ id }) => id));
  let id = name;
  for (let number = 2; taken.has(id); number++) id = `${name}-${number}`;
  return id;
}

/** Says when shoppers see a promotion, in the time of their country. */
async function tell(output: CommandContext["output"], done: string, row: PromotionRow, { timeZone }: Site) {
  const end = row.validTo === null ? "without an end" : `to ${formatIn(timeZone, row.validTo)}`;
  await output.say(`${row.id} ${done}: from ${formatIn(timeZone, row.validFrom)} ${end} (${timeZone})`);
}
