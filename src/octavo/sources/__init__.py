"""Where papers come from: one module a site, all behind `sources.base.Source`."""
