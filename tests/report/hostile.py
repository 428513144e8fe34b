#!/usr/bin/python3
"""Names and texts of the target that want to be markup or script, in every place where one can be; and a million hits."""
import re
import tempfile

from browser import Browser
from common import hits_of, report, write_trace
from harness import run_all  # after common, which says where it is

HOSTILE = "</script><img src=x onerror=\"document.title='gone'\">'`${1}&amp;<!--"
FOLDER = tempfile.TemporaryDirectory()


def names_stay_texts():
    directory, records = write_trace(FOLDER.name, "hostile", 400)
    path = report(directory)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    assert "onerror" not in page and page.count("</script>") == 2 and "connect-src" not in page
    assert re.search(r"default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'", page)
    with Browser() as browser:
        browser.open(path)
        hits = hits_of(records)
        assert browser.value("earshot.model.hits") == len(hits) == 400
        assert browser.value("document.images.length") == 0 and browser.value("document.scripts.length") == 1
        assert browser.value("document.title").endswith(": Earshot report")
        assert HOSTILE in browser.value("document.body.innerText")
        browser.run("earshot.view.select(5);")
        for name in browser.value("earshot.model.statements.map((s) => s.name)"):
            browser.run("earshot.hits.ask('statement:\"' + arguments[0].replace(/[\\\\\"]/g, '\\\\$&') + '\"');", name)
            browser.settle()
            assert browser.value("earshot.hits.found.length") == sum(1 for hit in hits if hit["statement"] == name), name
        browser.run("document.querySelector('.frame').click(); document.querySelectorAll('button.label').forEach((label) => label.click());")
        browser.settle()
        for i in range(browser.value("earshot.distribution.things.length")):
            browser.choose("#spread-field", str(i))
        assert browser.value("document.images.length") == 0 and browser.value("document.title").endswith(": Earshot report")
        assert "__proto__" in browser.value("document.getElementById('statements').innerText")
        log = browser.log()
        assert log == [], log


def a_million_hits():
    directory, _ = write_trace(FOLDER.name, "many", 1000000)
    path = report(directory)
    with Browser() as browser:
        browser.open(path, wait=120)
        assert browser.value("earshot.model.hits") == 1000000
        assert browser.value("earshot.model.statements.reduce((sum, s) => sum + s.hits, 0)") == 1000000
        assert browser.value("document.querySelectorAll('*').length") < 2500
        browser.run("document.querySelector('#table .body').scrollTop = 1e9;")
        browser.settle()
        assert browser.value("Math.max(...[...document.querySelectorAll('#table .item:not([hidden])')].map((row) => Number(row.getAttribute('aria-rowindex'))))") == 1000000
        browser.type("#search", "temp>88 task:idle")
        shown = browser.value("earshot.hits.found.length")
        counted = browser.run("""
            const {model, hits} = earshot, field = model.statements[0].fields[0];
            let many = 0;
            for (const hit of model.statements[0].at) if (field.column[model.row[hit]] > 88 && model.taskName(hit) === 'idle') many++;
            return many;""")
        assert shown == counted > 1000, (shown, counted)
        marks = browser.value("performance.getEntriesByType('mark').map((mark) => `${mark.name} ${Math.round(mark.startTime)} ms`)")
        print("  a million hits:", ", ".join(marks))
        log = browser.log()
        assert log == [], log


if __name__ == "__main__":
    with FOLDER:
        code = run_all([names_stay_texts, a_million_hits])
    raise SystemExit(code)
