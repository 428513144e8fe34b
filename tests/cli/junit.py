"""JUnit XML as CI services take it: checked against what the format that Jenkins publishes (xunit-plugin, junit-10.xsd) allows, with `file` and
`line` of a test case beside it, which GitLab and others read."""
import re
import xml.etree.ElementTree

TIME = re.compile(r"\d+\.\d+")
COUNT = re.compile(r"\d+")
# element: ({attribute: what it matches}, those it must have, {child}, may it have text)
FORMAT = {
    "testsuites": ({"name": None, "time": TIME, "tests": COUNT, "failures": COUNT, "disabled": COUNT, "errors": COUNT}, [], ["testsuite"], False),
    "testsuite": ({"name": None, "tests": COUNT, "failures": COUNT, "errors": COUNT, "skipped": COUNT, "time": TIME, "timestamp": None,
                   "hostname": None, "id": None, "package": None, "disabled": COUNT},
                  ["name", "tests"], ["properties", "testcase", "system-out", "system-err"], False),
    "properties": ({}, [], ["property"], False),
    "property": ({"name": None, "value": None}, ["name", "value"], [], False),
    "testcase": ({"name": None, "classname": None, "time": TIME, "status": None, "assertions": COUNT, "file": None, "line": COUNT},
                 ["name", "classname"], ["skipped", "error", "failure", "system-out", "system-err"], False),
    "skipped": ({"message": None, "type": None}, [], [], True),
    "error": ({"message": None, "type": None}, [], [], True),
    "failure": ({"message": None, "type": None}, [], [], True),
    "system-out": ({}, [], [], True),
    "system-err": ({}, [], [], True),
}


def check_element(element):
    attributes, needed, children, has_text = FORMAT[element.tag]
    for name, value in element.attrib.items():
        assert name in attributes, f"<{element.tag}> has no attribute {name}"
        assert attributes[name] is None or attributes[name].fullmatch(value), f"{element.tag} {name}={value!r}"
    assert all(name in element.attrib for name in needed), (element.tag, element.attrib)
    assert has_text or not (element.text or "").strip(), f"<{element.tag}> holds {element.text!r}"
    order = [children.index(child.tag) for child in element]  # fails where one is not allowed
    assert order == sorted(order), f"<{element.tag}>: wrong order of {[child.tag for child in element]}"
    for child in element:
        check_element(child)


def check_counts(element):
    """The numbers at its head are those of what it holds."""
    cases = list(element.iter("testcase"))
    found = {"tests": len(cases)} | {plural: sum(case.find(kind) is not None for case in cases)
                                     for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))}
    for name, number in found.items():
        assert element.get(name, str(number)) == str(number), (element.tag, element.attrib, found)


def read(path):
    """The root of a document that is as it should be."""
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    check_element(root)
    for element in [root, *root]:
        check_counts(element)
    return root
