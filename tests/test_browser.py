import pytest

from build import lesson_names


@pytest.mark.parametrize("name", lesson_names())
def test_lesson_runs_in_jupyterlab(lab, name):
    with lab.open(f"notebooks/{name}.ipynb") as page:
        page.run_all()
        codes = [cell for cell in page.cells() if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in codes] == list(
            range(1, len(codes) + 1)
        )
        assert page.cell_errors() == []
        assert page.errors == []
        assert page.foreign == []
