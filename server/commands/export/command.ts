import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import { readSprite } from "../../brand/icon-sprite.ts";
import { loadShop } from "../../context.ts";
import { renderBuiltInFooter } from "../../features/footer/index.ts";
import { StartError, throwFaults, UsageError } from "../../platform/errors.ts";
import { formats } from "../../platform/formats.ts";
import { assetsFolder } from "../../platform/paths.ts";
import { replaceFile } from "../../platform/publish-file.ts";
import type { Site } from "../../sites/countries.ts";
import type { Run } from "../../store/command.ts";
import type { Sprite } from "./inline-icons.ts";
import { type FooterSource, writeKeycloakFooter, writeStandaloneFooter } from "./standalone-footer.tsx";
import { watchFooters } from "./watch-footers.ts";

interface Options {
  site?: string;
  watch?: string;
}

type Shop = Awaited<ReturnType<typeof loadShop>>["shop"];

/** Adds the command that writes footers for pages without a composer. It needs neither a store nor a running service. */
export function exportCommand(program: Command, run: Run): void {
  program
    .command("export <folder>")
    .description(
      "write each site's footer for pages that no composer reaches: footer.html, and footer.ftl for Keycloak",
    )
    .option("--site <site>", "write only that of one site")
    .option(
      "--watch <url>",
      "write those of the service at this address, and again whenever one changes, until SIGTERM",
    )
    .action(
      run(async ({ env, logger, output }, folder: string, { site: code, watch: url }: Options) => {
        const ofUrl = formats["upstream-url"];
        if (url !== undefined && !ofUrl?.validate(url)) throw new UsageError([`--watch ${ofUrl?.message}`]);
        const { shop, faults } = await loadShop(env, logger, env.port);
        throwFaults(faults);
        const sites = selectSites(shop.countries.sites, code);
        const sprite = await readShopSprite(shop);
        const write = (site: Site, source: FooterSource) => writeFooter(folder, site, source, sprite);
        const builtIn = (site: Site) => ({
          html: renderBuiltInFooter(shop, site, Date.now()),
          styles: shop.assets.filesOf({ styles: ["footer.css"], scripts: [] }, site.origin).styles,
        });
        if (url === undefined) {
          const files = sites.flatMap((site) => write(site, builtIn(site)));
          if (output.json) await output.list(files);
          else await output.say(`${files.length} files written to ${folder}`);
          return;
        }
        const stop = new AbortController();
        for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => stop.abort());
        const report = async (site: Site, files: ReturnType<typeof write>) => {
          if (output.json) await output.list(files);
          else await output.say(`${site.site} written to ${folder}`);
        };
        await watchFooters({
          url: url.replace(/\/$/, ""),
          sites,
          logger,
          signal: stop.signal,
          write: async (site, source) => report(site, write(site, source)),
          async onFailure(site) {
            const isFirst = !existsSync(join(folder, site.site));
            if (isFirst) await report(site, write(site, builtIn(site)));
          },
        });
      }),
    );
}

function selectSites(sites: readonly Site[], code: string | undefined): readonly Site[] {
  const selected = sites.filter(({ site }) => code === undefined || site === code);
  if (selected.length > 0) return selected;
  throw new UsageError([`--site must be one of ${sites.map(({ site }) => site).join(", ")}`]);
}

/** Reads the sprite of the shop: one generated from its own icons and flags, or the built one. */
async function readShopSprite({ assets }: Shop): Promise<Sprite> {
  const file = basename(assets.url("icons.svg"));
  return readSprite(String(assets.made.get(file) ?? (await readFile(join(assetsFolder, file)))));
}

/**
 * Writes the files of a site.
 * @returns the files that were written
 * @throws StartError if the folder can't be written to
 */
function writeFooter(folder: string, site: Site, source: FooterSource, sprite: Sprite) {
  const html = writeStandaloneFooter(source, site, sprite);
  const ofSite = join(folder, site.site);
  const contents = { "footer.html": html, "footer.ftl": writeKeycloakFooter(html) };
  try {
    makeFolder(ofSite);
    return Object.entries(contents).map(([name, content]) => {
      const file = join(ofSite, name);
      replaceFile(file, content);
      return { site: site.site, file };
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new StartError([`${ofSite}: can't be written (${error.code})`]);
  }
}

/** Creates a folder and its parents. Node's own recursion never ends where a parent can't be created, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
